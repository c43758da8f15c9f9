// A richer protocol through the public interface alone, in lines of JSON: streams with a rate, watches that tell only what has
// changed, and polls that are answered at the next change.
import type { Address, Connection, Endpoint, Frame, FrontEnd, FrontEndClient, FrontEndParts } from '../../lib/index.js';

const LONGEST_LINE = 10_000;
const NOTHING = '';

/** One line of a client: exactly one of the last four. */
interface Wish {
  readonly id?: unknown;
  /** Names whose values are sent `hertz` times a second of simulation time. Default: every tick. */
  readonly stream?: unknown;
  readonly hertz?: unknown;
  /** Names of which those are sent that have changed; all at first. */
  readonly changes?: unknown;
  /** Names that are sent once, when one of them changes. */
  readonly poll?: unknown;
  /** The id of what shall end. */
  readonly stop?: unknown;
}

/** A value as JSON. */
type Text = string;
type Values = ReadonlyMap<string, Text>;

export class WatchFrontEnd implements FrontEnd {
  readonly name = 'watch';

  constructor(
    private readonly parts: FrontEndParts,
    private readonly at: Address,
  ) {}

  endpoints(): readonly Endpoint[] {
    const accept = (connection: Connection): void => this.accept(connection);
    return [{ name: this.name, speaks: ['watches'], kind: 'stream', trust: 'address', at: this.at, accept }];
  }

  close(): void {
    this.parts.subscriptions.close();
  }

  private accept(connection: Connection): void {
    let rest = '';
    const run = (line: string): string => wishes.run(line);
    const client = this.parts.accept(this.name, connection, function* (chunk) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield run(line);
      if (rest.length > LONGEST_LINE) client.end();
    });
    const wishes = new Wishes(this.parts, client);
  }
}

/** What one client gets again and again. */
class Wishes {
  private readonly stops = new Map<unknown, () => void>();

  constructor(
    private readonly parts: FrontEndParts,
    private readonly client: FrontEndClient,
  ) {}

  /** The answer to a line, if there is one, or the sentence that refuses it. */
  run(line: string): string {
    let wish: Wish = {};
    try {
      wish = JSON.parse(line) as Wish;
      return this.begin(wish);
    } catch (error) {
      return `${JSON.stringify({ id: wish?.id, error: (error as Error).message })}\n`;
    }
  }

  private begin(wish: Wish): string {
    if ('stop' in wish) {
      this.stop(wish.stop);
      return NOTHING;
    }
    if (this.stops.has(wish.id)) throw new Error('there is one with this id already');
    if ('stream' in wish) this.watch(wish.id, namesOf(wish.stream), cycleOf(wish.hertz), (values) => values);
    else if ('changes' in wish) this.watch(wish.id, namesOf(wish.changes), undefined, changesOnly());
    else if ('poll' in wish) this.poll(wish.id, namesOf(wish.poll));
    else throw new Error('there are stream, changes, poll and stop');
    return NOTHING;
  }

  private poll(id: unknown, names: readonly string[]): void {
    const changed = changesOnly();
    let isFirst = true;
    this.watch(id, names, undefined, (values) => {
      const isChanged = changed(values).size > 0 && !isFirst;
      isFirst = false;
      if (!isChanged) return new Map();
      queueMicrotask(() => this.stop(id));
      return values;
    });
  }

  /** @param pick what of the values is told; nothing is sent when that is empty. */
  private watch(id: unknown, names: readonly string[], cycleMillis = 0, pick: (values: Values) => Values): void {
    const references = names.map((name) => this.parts.reference(name));
    const valuesIn = (frame: Frame): Values =>
      new Map(references.filter((one) => one.isCarriedBy(frame)).map((one) => [one.alias, textOf(one.read(frame))]));
    const message = (frame: Frame): string => {
      const told = [...pick(valuesIn(frame))].map(([name, text]) => `${JSON.stringify(name)}:${text}`);
      const head = `{"id":${JSON.stringify(id ?? null)},"seconds":${frame.timeSeconds}`;
      return told.length === 0 ? NOTHING : `${head},"values":{${told.join()}}}\n`;
    };
    this.stops.set(id, this.client.watch({ references, cycleMillis }, message));
  }

  private stop(id: unknown): void {
    this.stops.get(id)?.();
    this.stops.delete(id);
  }
}

function changesOnly(): (values: Values) => Values {
  const sent = new Map<string, Text>();
  return (values) => {
    const changed = [...values].filter(([name, text]) => sent.get(name) !== text);
    for (const [name, text] of changed) sent.set(name, text);
    return new Map(changed);
  };
}

function namesOf(given: unknown): readonly string[] {
  if (Array.isArray(given) && given.length > 0 && given.every((name) => typeof name === 'string')) return given;
  throw new Error('a list of names was expected');
}

function cycleOf(hertz: unknown): number | undefined {
  if (hertz === undefined) return undefined;
  if (typeof hertz === 'number' && hertz > 0) return 1000 / hertz;
  throw new Error('hertz is a number above 0');
}

const textOf = (value: unknown): Text =>
  JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)) ?? 'null';
