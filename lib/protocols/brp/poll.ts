// brp.poll: answers when what a query shows has changed since the client's watermark, as the proposal before Bevy's
// protocol wanted it.
import { z } from 'zod';
import { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import type { SimObject } from '../../model/state/catalog.js';
import { holdsPointers } from '../../model/state/pointers.js';
import { Held } from '../../serving/scheduling/held.js';
import { eachInTurns, RANGE } from '../../serving/scheduling/ranges.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { firstAnswer } from '../json-rpc/frame-wait.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import { boundedText, builtInText, type Cells, type Pieces, readWorld } from './cells.js';
import { variableOf } from './component.js';
import { entityOf } from './entity.js';
import { KeptComponent } from './kept-component.js';
import { type BrpCall, operation } from './operation.js';
import { Picture, readWatermark, type Watermark } from './picture.js';
import { addRows, eachMatch, type Query, queryData, type Row, readQuery, rowOf } from './query.js';
import { entityNumber, typePaths } from './schemas.js';
import type { World } from './world.js';

const MAX_TIMEOUT_MILLIS = 600_000;
const DEFAULT_TIMEOUT_MILLIS = 30_000;
const NO_NAMES = { with: [], without: [], changed: [] };

const filter = z.object({
  with: typePaths.default([]),
  without: typePaths.default([]),
  changed: typePaths.default([]).describe('Only rows of which one of these has changed; a row needs them all'),
});

const pollParams = z.object({
  data: queryData,
  filter: filter.nullish().transform((given) => given ?? NO_NAMES),
  watermark: z.string().max(200).nullish().describe('What the last poll answered; null for everything at once'),
  timeout_ms: z
    .number()
    .min(0)
    .max(MAX_TIMEOUT_MILLIS)
    .nullable()
    .default(DEFAULT_TIMEOUT_MILLIS)
    .describe('null for a poll that has no end of its own'),
});
type PollParams = z.output<typeof pollParams>;

export const poll = operation({
  about:
    'Answers a query as soon as it shows something else than at the watermark: components that changed, entities that came or went. When time runs out it answers the same watermark and no entities.',
  params: pollParams,
  result: z.object({
    entities: z.array(z.unknown()),
    watermark: z.string(),
    sim_time: z.unknown().optional(),
    removed: z.array(entityNumber).optional().describe('Entities that matched at the watermark and no longer do'),
    resync: z.boolean().optional().describe('True when what has changed is no longer known: these are all rows'),
  }),
  run: (call, params) => new Poll(call, params).answer(),
});

/** An object, and its components in which a difference counts. */
interface Compared {
  readonly object: SimObject;
  readonly parts: readonly KeptComponent[];
}

/** Of more objects a copy of a frame is read, so that others have their turns meanwhile. */
const MANY_OBJECTS = 1000;

class Poll {
  private readonly held: Held;
  private readonly asked: Watermark | undefined;
  private readonly endMillis: number;
  /** Whether an answer has only the rows that have changed. */
  private readonly isOfChanges: boolean;
  /** What the client has been told, from the first look that has shown nothing else. */
  private told: Picture | undefined;

  constructor(
    private readonly call: BrpCall,
    private readonly params: PollParams,
  ) {
    const { watermark, filter: given } = params;
    this.asked = typeof watermark === 'string' ? readWatermark(watermark) : undefined;
    this.held = new Held(call.account);
    this.endMillis = call.clock.nowMillis() + (params.timeout_ms ?? Number.POSITIVE_INFINITY);
    this.isOfChanges = given.changed.length > 0;
  }

  async answer(): Promise<AnswerText> {
    try {
      for (;;) {
        const seen = await readWorld(this.call, (world, cells) => this.look(world, cells));
        if (seen instanceof AnswerText) return seen;
        this.told = seen;
        if (!(await this.nextDifference(seen))) return this.nothing(seen);
      }
    } finally {
      this.held.release();
    }
  }

  private nothing({ simTime }: Picture): AnswerText {
    return AnswerText.of(JSON.stringify({ entities: [], watermark: this.params.watermark, sim_time: simTime }));
  }

  /** The answer, or what the query shows if the client has that already; undefined when it must look again. */
  private async look(world: World, cells: Cells): Promise<AnswerText | Picture | undefined> {
    const { generation, source } = this.call;
    cells.clear();
    const rows: Row[] = [];
    const compared = await this.compared(world, ({ object, parts }, query) => {
      rows.push(rowOf(world, query, object, cells, generation));
      for (const { current } of parts) if (current) cells.need(current);
    });
    let picture: Picture | undefined;
    const show = (frame: Frame): Pieces => {
      picture = new Picture(frame, simTimeOf(source, frame));
      return shown(picture, compared, frame);
    };
    if (!(await cells.take(world, rows.length > MANY_OBJECTS, show)) || !picture) return undefined;
    if (this.asked?.isOwn && picture.digest === this.asked.digest) return picture;
    this.told ??= await this.past(world, cells, compared);
    return this.text(picture, rows, cells);
  }

  private async text(now: Picture, rows: readonly Row[], cells: Cells): Promise<AnswerText> {
    const { asked, told } = this;
    const { generation } = this.call;
    const gone = told?.without(now) ?? [];
    const isSome = told && this.isOfChanges && gone.length === 0 && now.rows.size === told.rows.size;
    const news: Row[] = [];
    await eachInTurns(this.call.turn, rows, (row) => {
      if (!isSome || !told.isSameRow(now, row.object.number)) news.push(row);
    });
    const text = boundedText();
    text.add('{"entities":[');
    await addRows(text, news, cells, generation);
    text.add(`],"watermark":${JSON.stringify(now.watermark)},"sim_time":${JSON.stringify(now.simTime)}`);
    const removed = gone.map((number) => entityOf(number, generation));
    if (removed.length > 0) text.add(`,"removed":${JSON.stringify(removed)}`);
    const isUnknown = asked && !told && (!asked.isOwn || this.isOfChanges);
    text.add(isUnknown ? ',"resync":true}' : '}');
    return text;
  }

  /** What the client has seen, from the ring, if the frame is still there and nothing has come or gone since. */
  private async past(world: World, cells: Cells, now: readonly Compared[]): Promise<Picture | undefined> {
    const { asked } = this;
    const { source } = this.call;
    if (!asked?.isOwn || !this.isOfChanges || world.catalog !== source.catalog) return undefined;
    const frame = source.past(asked.frame);
    if (!frame) return undefined;
    // A past frame may be another one after a turn.
    const kept = now.length > MANY_OBJECTS ? cells.keepFrame(frame) : frame;
    // Throws a TooManyPointersError.
    kept.carriesAll(now.flatMap(({ parts }) => parts.filter(hasPointers)));
    const picture = new Picture(kept, {});
    await cells.run(shown(picture, now, kept, (part) => part.another()));
    // The digest differs when the watermark is of another query, or when the frame lacks parts of a large state.
    return picture.digest === asked.digest ? picture : undefined;
  }

  /** The objects that the query matches. */
  private async compared(
    world: World,
    act: (one: Compared, query: Query) => void = () => undefined,
  ): Promise<Compared[]> {
    const { generation, turn } = this.call;
    const { data, filter: given } = this.params;
    const filter = { with: [...given.with, ...given.changed], without: given.without };
    const strictness = generation === 'proposal' ? 'all names must be known' : 'lenient';
    const query = readQuery(world, { data, filter }, strictness);
    if (!query) return [];
    const changed = given.changed.flatMap((name) => world.resolve(name) ?? []);
    const all: Compared[] = [];
    await eachMatch(turn, world, query, (object) => {
      const components = world.componentsOf(object);
      const parts = (changed.length > 0 ? changed : pathsShown(world, query, object)).map((path) => {
        const component = components.get(path);
        if (component) return new KeptComponent(variableOf(component));
        return new KeptComponent(undefined, builtInText(world, object, path, generation));
      });
      const one = { object, parts };
      all.push(one);
      act(one, query);
    });
    return all;
  }

  /** True at a frame that shows something else, false when time runs out. Rejects when the simulation or client goes. */
  private async nextDifference(picture: Picture): Promise<boolean> {
    const timeoutMillis = this.endMillis - this.call.clock.nowMillis();
    if (timeoutMillis <= 0) return false;
    this.held.setAll({ parked: 1, ...picture.cost });
    const leases = picture.portions.map(() => new Lease());
    const looks = picture.portions.map((portion, index) => (frame: Frame): boolean | undefined => {
      const isOther = frame.header.catalogVersion !== picture.catalogVersion;
      return isOther || portion.differsIn(frame, leases[index] as Lease) || undefined;
    });
    const ended = (reason: string) => new RpcError(RpcCode.requestRefused, `the poll has ended: ${reason}`);
    try {
      return await firstAnswer(this.call, { looks, seen: picture.frame, timeoutMillis, late: () => false, ended });
    } finally {
      for (const lease of leases) lease.end();
    }
  }
}

/** Adds what a frame shows to a picture. @param made makes what keeps it. */
function* shown(
  picture: Picture,
  compared: readonly Compared[],
  frame: Frame,
  made = (part: KeptComponent): KeptComponent => part,
): Pieces {
  for (const [index, { object, parts }] of compared.entries()) {
    if (index % RANGE === 0) yield;
    picture.add(object.number, parts.map(made), frame);
  }
}

const hasPointers = ({ current }: KeptComponent): boolean => current !== undefined && holdsPointers(current.type);

/** The components of an object that a query shows. */
function pathsShown(world: World, { components, option }: Query, object: SimObject): string[] {
  const optional = option === 'all' ? world.pathsOf(object) : option.map(({ path }) => path);
  const paths = new Set([...components.map(({ path }) => path), ...optional]);
  return [...paths].filter((path) => world.has(object, path));
}
