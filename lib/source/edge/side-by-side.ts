// Several simulations elsewhere as one source: the numbers of each are below its name.
import { LIMITS } from '../../model/bounds/limits.js';
import { readLeaf } from '../../model/state/memory.js';
import { isOverlayObject } from '../../model/state/reserved-names.js';
import { locate } from '../../model/state/variable.js';
import type { Overlay } from '../../simulation/executive/overlay.js';
import type { Request, Write } from '../../simulation/executive/request.js';
import { FeedHost } from '../feed-host.js';
import { declaredAs } from '../recording/variables.js';
import { RemoteSource } from '../remote-source.js';
import type { Abilities, Source, SourceRun, Unsubscribe } from '../source.js';
import { type NumberVariable, numbersIn } from './numbers.js';

/** Frames come so often, whatever number of simulations there is. */
const FRAME_MILLIS = 10;
const MOST_NUMBERS = LIMITS.numbersBeside.all;

/** A simulation, and what its variables are below. */
interface Side {
  readonly object: string;
  readonly source: Source;
  readonly cells: readonly { readonly path: string; readonly view: { value: unknown } }[];
  /** Where the values lie, by the catalog that the variables are of. */
  found: { readonly catalog: Source['catalog']; readonly variables: readonly (NumberVariable | undefined)[] };
}

export class SideBySide extends RemoteSource {
  readonly alone = new Map<string, Source>();
  protected readonly host: FeedHost;
  private readonly sides: Side[] = [];
  private readonly joinListeners = new Set<(object: string, source: Source) => void>();
  private readonly began = performance.now();
  private readonly changed = new Set<Side>();
  private later: NodeJS.Timeout | undefined;

  /**
   * Throws an Error with one sentence for a simulation that has too many numbers.
   * @param sources by their names.
   */
  constructor(sources: readonly (readonly [name: string, source: Source])[], overlays: readonly Overlay[]) {
    const own: { source?: SideBySide } = {};
    super(
      (message) => own.source?.host.receive(message),
      async () => own.source?.leave(),
      true,
    );
    own.source = this;
    const options = { name: 'side by side', what: 'several simulations', frameSeconds: FRAME_MILLIS / 1000 };
    const elsewhere = { abilities: {}, carryOut: (request: Request) => this.carryOut(request) };
    this.host = new FeedHost(
      options,
      () => performance.now(),
      (message) => this.receive(message),
      elsewhere,
    );
    for (const [name, source] of sources) this.add(name, source);
    this.host.start(overlays);
  }

  get runs(): readonly SourceRun[] {
    return this.sides.map(({ object, source }) => ({ object, label: source.info.name, isLive: true }));
  }

  override get abilities(): Abilities {
    return { ...super.abilities, write: this.sides.some(({ source }) => source.abilities.write) };
  }

  onJoin(listener: (object: string, source: Source) => void): Unsubscribe {
    this.joinListeners.add(listener);
    return () => this.joinListeners.delete(listener);
  }

  /** Shows one more simulation. Throws an Error with one sentence for one that has too many numbers. */
  join(name: string, source: Source): void {
    const object = this.host.later(() => this.add(name, source));
    this.publish();
    for (const listener of this.joinListeners) listener(object, source);
  }

  override get fault(): string | undefined {
    const faults = this.sides.flatMap(({ source }) => source.fault ?? []);
    return faults.length === 0 ? undefined : faults.join('; ');
  }

  /** When no simulation can be reached: of one, `fault` tells, and the others go on. */
  get lastHeardMillis(): number | undefined {
    const heard = this.sides.map(({ source }) => source.lastHeardMillis ?? Number.POSITIVE_INFINITY);
    const last = Math.max(...heard);
    return Number.isFinite(last) ? last : undefined;
  }

  /** Returns the name of its object. */
  private add(name: string, source: Source): string {
    const object = objectName(name, this.alone);
    const side = this.sideOf(object, source);
    copy(side);
    this.sides.push(side);
    this.alone.set(object, source);
    this.follow(side);
    return object;
  }

  private sideOf(object: string, source: Source): Side {
    const variables = [...numbersIn(source.catalog)];
    if (variables.length > MOST_NUMBERS)
      throw new Error(`${object} has more than ${MOST_NUMBERS} numbers: open it alone`);
    const handle = this.host.object(object);
    const cells = variables.map(({ path, type, units }) => ({
      path,
      view: handle.component(path, declaredAs(type, units)) as { value: unknown },
    }));
    return { object, source, cells, found: { catalog: source.catalog, variables } };
  }

  private follow(side: Side): void {
    side.source.onFrame(() => {
      this.changed.add(side);
      this.later ??= setTimeout(() => this.publish(), FRAME_MILLIS);
    });
    side.source.onMessage(({ level, text }) => this.host.say(`${side.object}: ${text}`, level));
  }

  private publish(): void {
    this.later = undefined;
    for (const side of this.changed) copy(side);
    this.changed.clear();
    this.host.publish((performance.now() - this.began) / 1000);
  }

  private carryOut(request: Request): Promise<undefined> | undefined {
    return request.kind === 'write' ? this.write(request.writes) : undefined;
  }

  /** Each simulation takes its own, all or none. Rejects with the sentence of the first that takes none. */
  private async write(writes: readonly Write[]): Promise<undefined> {
    for (const side of this.sides) {
      const own = writes.flatMap(({ path, value }) =>
        path.startsWith(`${side.object}.`) ? [{ path: path.slice(side.object.length + 1), value }] : [],
      );
      if (own.length === 0) continue;
      await side.source.submit({ kind: 'write', writes: own });
      copy(side);
    }
  }

  private async leave(): Promise<void> {
    clearTimeout(this.later);
    await Promise.all(this.sides.map(({ source }) => source.close()));
  }
}

/** Takes the values of the latest frame; what is not there any more stays as it was. */
function copy(side: Side): void {
  const { source, cells } = side;
  const { catalog, frame } = source;
  if (catalog !== side.found.catalog)
    side.found = { catalog, variables: cells.map(({ path }) => catalog.find(path) as NumberVariable | undefined) };
  for (const [index, { view }] of cells.entries()) {
    const variable = side.found.variables[index];
    const offset = variable ? locate(variable, frame.memory) : -1;
    if (variable && offset >= 0) view.value = readLeaf(variable.type, frame.memory, offset);
  }
}

/** A name that an object can have, and none has yet. */
function objectName(name: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = name.replace(/\W/g, '_').replace(/^(?=\d|$)/, '_');
  const wanted = isOverlayObject(plain) ? `_${plain}` : plain;
  let free = wanted;
  for (let number = 2; taken.has(free); number++) free = `${wanted}_${number}`;
  return free;
}
