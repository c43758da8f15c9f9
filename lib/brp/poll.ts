// brp.poll: answers when what a query shows has changed since the client's watermark, as the proposal before Bevy's
// protocol wanted it.
import { z } from 'zod';
import type { Frame } from '../frame/reader.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { settledFrame } from '../json-rpc/call-context.js';
import { GONE } from '../json-rpc/caller.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import type { SimObject } from '../model/catalog.js';
import { holdsPointers } from '../model/pointers.js';
import type { Variable } from '../model/variable.js';
import { Held } from '../scheduling/held.js';
import { Slice, type Sliced } from '../scheduling/slice.js';
import { boundedText, builtInText, Cells, readWorld } from './cells.js';
import { variableOf } from './component.js';
import { bytesOf } from './component-bytes.js';
import { entityOf } from './entity.js';
import { type Evaluation, Evaluations } from './evaluations.js';
import { nextDifference } from './next-difference.js';
import { type BrpCall, operation } from './operation.js';
import { type Part, Picture, readWatermark, shownAs, type Watermark } from './picture.js';
import { addRow, matching, type Query, queryData, type Row, readQuery, rowsOf } from './query.js';
import { entityNumber, typePaths } from './schemas.js';
import { perSecond } from './values-per-second.js';
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

/** An object, and its components in which a difference counts; without a variable when they are Bevy's own. */
interface Compared {
  readonly object: SimObject;
  readonly parts: readonly { readonly path: string; readonly variable: Variable | undefined }[];
}

/** Of more objects a copy of a frame is read, so that others have their turns meanwhile. */
const MANY_OBJECTS = 1000;
/** A slice that is never over: comparing few objects is one piece. */
const ONE_PIECE = new Slice(() => 0);

class Poll {
  private readonly held: Held;
  private readonly asked: Watermark | undefined;
  private readonly endMillis: number;
  private readonly key: string;

  constructor(
    private readonly call: BrpCall,
    private readonly params: PollParams,
  ) {
    const { watermark, data, filter: given } = params;
    this.asked = typeof watermark === 'string' ? readWatermark(watermark) : undefined;
    this.held = new Held(call.account);
    this.endMillis = call.clock.nowMillis() + (params.timeout_ms ?? Number.POSITIVE_INFINITY);
    this.key = JSON.stringify([call.generation, data, given]);
  }

  async answer(): Promise<AnswerText> {
    try {
      let now = await this.evaluate();
      let before: Picture | undefined;
      // The client has this already, so only the next difference is an answer.
      while (this.asked?.isOwn && now.picture.digest === this.asked.digest) {
        before = now.picture;
        if (!(await this.nextDifference(before))) return this.nothing(now);
        now = await this.evaluate();
      }
      const known = before ?? (await this.pastPicture());
      return await this.call.inTurns((slice) => this.text(now, known, slice));
    } finally {
      this.held.release();
    }
  }

  private nothing({ simTime }: Evaluation): AnswerText {
    return AnswerText.of(JSON.stringify({ entities: [], watermark: this.params.watermark, sim_time: simTime }));
  }

  /** @param known what the client has; undefined when the server does not know that any more. */
  private *text(now: Evaluation, known: Picture | undefined, slice: Slice): Sliced<AnswerText> {
    const { picture, simTime } = now;
    const text = boundedText();
    text.add('{"entities":[');
    if (!known || this.params.filter.changed.length === 0 || !known.hasSameRows(picture)) text.append(now.text);
    else yield* this.addChanged(text, now, known, slice);
    text.add(`],"watermark":${JSON.stringify(picture.watermark)},"sim_time":${JSON.stringify(simTime)}`);
    const removed = known ? [...known.rows.keys()].filter((number) => !picture.rows.has(number)) : [];
    const gone = removed.map((number) => entityOf(number, this.call.generation));
    if (gone.length > 0) text.add(`,"removed":${JSON.stringify(gone)}`);
    const isUnknown = this.asked && !known && (!this.asked.isOwn || this.params.filter.changed.length > 0);
    text.add(isUnknown ? ',"resync":true}' : '}');
    return text;
  }

  private *addChanged(text: AnswerText, { picture, rows }: Evaluation, known: Picture, slice: Slice): Sliced<void> {
    let count = 0;
    for (const [number, row] of rows) {
      if (slice.isOver()) yield;
      if (known.isSameRow(picture, number)) continue;
      if (count++ > 0) text.add(',');
      text.append(row);
    }
  }

  /** What the query shows in the latest frame. */
  private async evaluate(): Promise<Evaluation> {
    await settledFrame(this.call);
    const { number } = this.call.source.frame.header;
    const cells = new Cells(this.call);
    try {
      return await readWorld(this.call, (world, slice) => this.shared(world, cells, number, slice), cells);
    } finally {
      cells.release();
    }
  }

  /** @param number the result is of this frame or a later one. */
  private shared(world: World, cells: Cells, number: number, slice: Slice): Sliced<Evaluation | undefined> {
    const own = (its: Slice) => this.released(world, cells, its);
    const isOf = () => cells.frame.header.number;
    return Evaluations.of(this.call.source).get(this.key, number, isOf, own, slice);
  }

  /** Others may go on with it when this client has gone: it has cells of its own. */
  private *released(world: World, { read, kept }: Cells, slice: Slice): Sliced<Evaluation | undefined> {
    const cells = new Cells(this.call, read);
    try {
      if (kept) cells.keepFrame(kept);
      return yield* this.evaluation(world, cells, slice);
    } finally {
      cells.drop();
    }
  }

  private *evaluation(world: World, cells: Cells, slice: Slice): Sliced<Evaluation | undefined> {
    const { generation, source } = this.call;
    if (!cells.isKept && world.catalog.objectCount > MANY_OBJECTS) yield* cells.prepareCopy(slice);
    if (!cells.isKept && world.catalog !== source.catalog) return undefined;
    if (!cells.isKept && world.catalog.objectCount > MANY_OBJECTS) cells.keepFrame();
    const query = this.queryIn(world);
    const objects = query ? yield* matching(world, query, slice) : [];
    const rows = query ? yield* rowsOf(world, query, objects, cells, generation, slice) : [];
    const whole = cells.isKept ? slice : ONE_PIECE;
    const compared = yield* this.comparedOf(world, query, objects, whole);
    if (!(yield* cells.take(world, slice, this.notShown(query, compared)))) return undefined;
    const { frame } = cells;
    const picture = yield* this.take(world, compared, frame, whole);
    const simTime = simTimeOf(source, frame);
    return { picture, simTime, ...(yield* this.textsOf(rows, cells, slice)) };
  }

  private *textsOf(rows: readonly Row[], cells: Cells, slice: Slice): Sliced<Pick<Evaluation, 'text' | 'rows'>> {
    const all = boundedText();
    const texts: [number, AnswerText][] = [];
    for (const [index, row] of rows.entries()) {
      if (index > 0) all.add(',');
      const text = this.params.filter.changed.length > 0 ? boundedText() : all;
      yield* addRow(text, row, cells, this.call.generation, slice);
      if (text !== all) {
        texts.push([row.object.number, text]);
        all.append(text);
      }
      if (slice.isOver(ROW_STEPS)) yield;
    }
    all.encode();
    return { text: all, rows: texts };
  }

  private *comparedOf(
    world: World,
    query: Query | undefined,
    objects: readonly SimObject[],
    slice: Slice,
  ): Sliced<readonly Compared[]> {
    const compared: Compared[] = [];
    for (const object of objects) {
      const paths = query ? this.comparedIn(world, query, object) : [];
      const components = world.componentsOf(object);
      const parts = paths.map((path) => {
        const component = components.get(path);
        return { path, variable: component && variableOf(component) };
      });
      compared.push({ object, parts });
      if (slice.isOver(ROW_STEPS)) yield;
    }
    return compared;
  }

  /** What is compared and is not in the answer. */
  private notShown(query: Query | undefined, compared: readonly Compared[]): readonly Variable[] {
    if (this.params.filter.changed.length === 0) return [];
    const shown = new Set(query?.components.map(({ path }) => path));
    return compared.flatMap(({ parts }) =>
      parts.flatMap(({ path, variable }) => (variable && !shown.has(path) ? [variable] : [])),
    );
  }

  /** The rows' bytes in a frame of the world's catalog, which is asked for nothing. Throws a TooManyPointersError. */
  private *take(world: World, compared: readonly Compared[], frame: Frame, slice: Slice): Sliced<Picture> {
    yield* requireFewPointers(compared, frame, slice);
    const rows = new Map<number, readonly Part[]>();
    for (const { object, parts } of compared) {
      const taken = parts.map(({ path, variable }): Part => {
        if (variable) return { variable, bytes: bytesOf(frame, variable) };
        return { variable, bytes: Buffer.from(builtInText(world, object, path, this.call.generation)) };
      });
      rows.set(object.number, taken);
      if (slice.isOver(ROW_STEPS)) yield;
    }
    return yield* Picture.of(rows, frame, slice);
  }

  /** The components of an object in which a difference counts. */
  private comparedIn(world: World, query: Query, object: SimObject): string[] {
    const changed = this.changedPaths(world);
    if (changed.length > 0) return changed;
    const option = query.option === 'all' ? world.pathsOf(object) : query.option.map(({ path }) => path);
    const paths = new Set([...query.components.map(({ path }) => path), ...option]);
    return [...paths].filter((path) => world.has(object, path));
  }

  private changedPaths(world: World): string[] {
    return this.params.filter.changed.flatMap((name) => world.resolve(name) ?? []);
  }

  private queryIn(world: World): Query | undefined {
    const { data, filter: given } = this.params;
    const needed = [...given.with, ...given.changed];
    const strictness = this.call.generation === 'proposal' ? 'all names must be known' : 'lenient';
    return readQuery(world, { data, filter: { with: needed, without: given.without } }, strictness);
  }

  /** What the client has seen, from the ring, if the frame is still there and nothing has come or gone since. */
  private async pastPicture(): Promise<Picture | undefined> {
    const { asked } = this;
    if (!asked?.isOwn || this.params.filter.changed.length === 0) return undefined;
    const cells = new Cells(this.call);
    try {
      const { found } = await readWorld(this.call, (world, slice) => this.lookBack(world, cells, asked, slice));
      return found;
    } finally {
      cells.release();
    }
  }

  private *lookBack(
    world: World,
    cells: Cells,
    asked: Watermark,
    slice: Slice,
  ): Sliced<{ readonly found: Picture | undefined } | undefined> {
    const { source } = this.call;
    const query = this.queryIn(world);
    const objects = query ? yield* matching(world, query, slice) : [];
    const past = (): Frame | undefined => (world.catalog === source.catalog ? source.past(asked.frame) : undefined);
    const isMany = objects.length > MANY_OBJECTS;
    if (isMany && past()) yield* cells.prepareCopy(slice);
    const frame = past();
    if (!frame) return { found: undefined };
    // A past frame may be another one after a turn.
    if (isMany) cells.keepFrame(frame);
    const whole = cells.isKept ? slice : ONE_PIECE;
    const compared = yield* this.comparedOf(world, query, objects, whole);
    const picture = yield* this.take(world, compared, cells.isKept ? cells.frame : frame, whole);
    // The digest differs when the watermark is of another query, or when the frame lacks parts of a large state.
    return { found: picture.digest === asked.digest ? picture : undefined };
  }

  private nextDifference(picture: Picture): Promise<boolean> {
    const waitMillis = this.endMillis - this.call.clock.nowMillis();
    if (waitMillis <= 0) return Promise.resolve(false);
    if (this.call.presence.isOver) return Promise.reject(GONE);
    this.hold(picture);
    return nextDifference(this.call, picture, waitMillis);
  }

  private hold({ keptBytes, values }: Picture): void {
    this.held.set('parked', 1);
    this.held.set('keptBytes', keptBytes);
    this.held.set('valuesPerSecond', perSecond(values, this.call.source.frame));
  }
}

/** Making a row's text takes some microseconds. */
const ROW_STEPS = 8;

function* requireFewPointers(compared: readonly Compared[], frame: Frame, slice: Slice): Sliced<void> {
  const pointing: Variable[] = [];
  for (const { parts } of compared) {
    if (slice.isOver()) yield;
    for (const { variable } of parts) if (variable && holdsPointers(variable.type)) pointing.push(variable);
  }
  frame.showsAll(pointing.map(shownAs), () => false);
}
