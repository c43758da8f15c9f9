// brp.poll: answers when what a query shows has changed since the client's watermark, as the proposal before Bevy's
// protocol wanted it.
import { z } from 'zod';
import type { Frame } from '../frame/reader.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { settledFrame } from '../json-rpc/call-context.js';
import { GONE, once } from '../json-rpc/caller.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import type { SimObject } from '../model/catalog.js';
import { holdsPointers } from '../model/pointers.js';
import type { Variable } from '../model/variable.js';
import { Held } from '../scheduling/held.js';
import { Slice, type Sliced } from '../scheduling/turns.js';
import type { Source } from '../source/source.js';
import { boundedText, builtInText, Cells, readWorld } from './cells.js';
import { variableOf } from './component.js';
import { bytesOf, keptBytesOf } from './component-bytes.js';
import { entityOf } from './entity.js';
import { type BrpCall, operation } from './operation.js';
import { type Part, Picture, readWatermark, shownAs, type Watermark } from './picture.js';
import { addRow, matching, type Query, queryData, readQuery, rowsOf } from './query.js';
import { typePaths } from './schemas.js';
import { valuesPerSecond } from './values-per-second.js';
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
  timeout_ms: z.number().min(0).max(MAX_TIMEOUT_MILLIS).default(DEFAULT_TIMEOUT_MILLIS),
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
    removed: z.array(z.number()).optional().describe('Entities that matched at the watermark and no longer do'),
    resync: z.boolean().optional().describe('True when what has changed is no longer known: these are all rows'),
  }),
  run: (call, params) => new Poll(call, params).answer(),
});

/** What a query shows in a frame: its rows as text, and their bytes to compare. */
interface Evaluation {
  readonly picture: Picture;
  /** By the numbers of the objects. */
  readonly rows: readonly (readonly [number: number, text: string])[];
  readonly simTime: object;
}

/** An object, and its components in which a difference counts; without a variable when they are Bevy's own. */
interface Compared {
  readonly object: SimObject;
  readonly parts: readonly { readonly path: string; readonly variable: Variable | undefined }[];
}

/** Evaluations of the latest frame, for all clients that ask the same. */
const latest = new WeakMap<Source, Map<string, Evaluation>>();
const MOST_SHARED = 16;
/** Of more objects a copy of a frame is read, so that others have their turns meanwhile. */
const MANY_OBJECTS = 1000;
/** A slice that is never over: comparing few objects is one piece. */
const ONE_PIECE = new Slice(() => 0);
/** A longer one is not kept for others. */
const LONGEST_SHARED = 1_000_000;

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
    this.endMillis = call.clock.nowMillis() + params.timeout_ms;
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
      return await this.call.inTurns(() => once(() => this.text(now, known)));
    } finally {
      this.held.release();
    }
  }

  private nothing({ simTime }: Evaluation): AnswerText {
    return AnswerText.of(JSON.stringify({ entities: [], watermark: this.params.watermark, sim_time: simTime }));
  }

  /** @param known what the client has; undefined when the server does not know that any more. */
  private text({ picture, rows, simTime }: Evaluation, known: Picture | undefined): AnswerText {
    const isAll = !known || this.params.filter.changed.length === 0 || !known.hasSameRows(picture);
    const text = boundedText();
    text.add('{"entities":[');
    let count = 0;
    for (const [number, row] of rows) {
      if (isAll || !known.isSameRow(picture, number)) text.add(`${count++ > 0 ? ',' : ''}${row}`);
    }
    text.add(`],"watermark":${JSON.stringify(picture.watermark)},"sim_time":${JSON.stringify(simTime)}`);
    const removed = known ? [...known.rows.keys()].filter((number) => !picture.rows.has(number)) : [];
    if (removed.length > 0) text.add(`,"removed":[${removed.map((number) => entityOf(number, this.call.generation))}]`);
    const isUnknown = this.asked && !known && (!this.asked.isOwn || this.params.filter.changed.length > 0);
    text.add(isUnknown ? ',"resync":true}' : '}');
    return text;
  }

  /** What the query shows in the latest frame. */
  private async evaluate(): Promise<Evaluation> {
    await settledFrame(this.call);
    const { number } = this.call.source.frame.header;
    const cells = new Cells(this.call);
    try {
      return await readWorld(this.call, (world, slice) => this.evaluation(world, cells, number, slice), cells);
    } finally {
      cells.release();
    }
  }

  private share(made: Evaluation): void {
    const { source } = this.call;
    const characters = made.rows.reduce((sum, [, text]) => sum + text.length, 0);
    if (characters > LONGEST_SHARED) return;
    const all = latest.get(source) ?? new Map<string, Evaluation>();
    latest.set(source, all);
    const { frame } = made.picture;
    for (const [key, { picture }] of all) if (picture.frame < frame || all.size >= MOST_SHARED) all.delete(key);
    all.set(this.key, made);
  }

  /** @param number the result is of this frame or a later one. */
  private *evaluation(world: World, cells: Cells, number: number, slice: Slice): Sliced<Evaluation | undefined> {
    const { generation, source } = this.call;
    // Made by another client while this one waited for its turn.
    const shared = latest.get(source)?.get(this.key);
    if (shared && shared.picture.frame >= number) return shared;
    if (!cells.isKept && world.catalog.objectCount > MANY_OBJECTS) cells.keepFrame();
    const query = this.queryIn(world);
    cells.clear();
    const objects = query ? yield* matching(world, query, slice) : [];
    const rows = query ? yield* rowsOf(world, query, objects, cells, generation, slice) : [];
    const whole = cells.isKept ? slice : ONE_PIECE;
    const compared = yield* this.comparedOf(world, query, objects, whole);
    if (!cells.take(world, this.notShown(query, compared))) return undefined;
    const { frame } = cells;
    const picture = yield* this.take(world, compared, frame, whole);
    const simTime = simTimeOf(source, frame);
    const texts: [number, string][] = [];
    for (const row of rows) {
      const text = boundedText();
      yield* addRow(text, row, cells, generation, slice);
      texts.push([row.object.number, text.toString()]);
      if (slice.isOver(ROW_STEPS)) yield;
    }
    const made = { picture, rows: texts, simTime };
    this.share(made);
    return made;
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
    const variables = compared.flatMap(({ parts }) => parts.flatMap(({ variable }) => variable ?? []));
    frame.showsAll(variables.filter(({ type }) => holdsPointers(type)).map(shownAs), () => false);
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
    return readQuery(world, { data, filter: { with: needed, without: given.without } }, 'lenient');
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
    const frame = world.catalog === source.catalog ? source.past(asked.frame) : undefined;
    if (!frame) return { found: undefined };
    // A past frame may be another one after a turn.
    if (objects.length > MANY_OBJECTS) cells.keepFrame(frame);
    const whole = cells.isKept ? slice : ONE_PIECE;
    const compared = yield* this.comparedOf(world, query, objects, whole);
    const past = yield* this.take(world, compared, cells.isKept ? cells.frame : frame, whole);
    // The digest differs when the watermark is of another query, or when the frame lacks parts of a large state.
    return { found: past.digest === asked.digest ? past : undefined };
  }

  /** True at a frame that shows something else, false when time runs out. Rejects when the simulation or client goes. */
  private nextDifference(picture: Picture): Promise<boolean> {
    const { call } = this;
    const waitMillis = this.endMillis - call.clock.nowMillis();
    if (waitMillis <= 0) return Promise.resolve(false);
    if (call.presence.isOver) return Promise.reject(GONE);
    this.hold(picture);
    return new Promise((resolve, reject) => {
      const stops: (() => void)[] = [];
      const settle = (act: () => void) => {
        for (const end of stops.splice(0)) end();
        act();
      };
      const done = (isDifferent: boolean) => settle(() => resolve(isDifferent));
      const fail = (error: Error) => settle(() => reject(error));
      const look = (frame: Frame): void => {
        if (frame.header.catalogVersion !== picture.catalogVersion) done(true);
        else if (frame.showsAll(picture.shown) && !picture.isShownIn(frame)) done(true);
      };
      const tryLook = (frame: Frame): void => {
        try {
          look(frame);
        } catch (error) {
          fail(error as Error);
        }
      };
      const end = (reason: string) => fail(new RpcError(RpcCode.requestRefused, `the poll has ended: ${reason}`));
      stops.push(call.presence.onEnd(() => fail(GONE)));
      stops.push(call.clock.after(waitMillis, () => done(false)));
      stops.push(call.followers.add({ account: call.account, look, end }));
      // A frame that has come meanwhile.
      if (call.source.frame.header.number !== picture.frame) tryLook(call.source.frame);
    });
  }

  private hold({ variables }: Picture): void {
    const { frame } = this.call.source;
    this.held.set('parked', 1);
    this.held.set('keptBytes', keptBytesOf(frame, variables));
    this.held.set('valuesPerSecond', valuesPerSecond(variables, frame));
  }
}

/** Making a row's text takes some microseconds. */
const ROW_STEPS = 8;
