// brp.poll: answers when what a query shows has changed since the client's watermark, as the proposal before Bevy's
// protocol wanted it.
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Frame, Shown } from '../frame/reader.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { GoneError } from '../json-rpc/caller.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import type { SimObject } from '../model/catalog.js';
import { sizeOf } from '../model/type.js';
import type { Variable } from '../model/variable.js';
import type { Slice, Sliced } from '../session/turns.js';
import { invalidParams } from './brp-error.js';
import { boundedText, builtInText, Cells, readWorld } from './cells.js';
import { bytesOf, hasBytes } from './component-bytes.js';
import { entityOf } from './entity.js';
import type { Follower } from './frame-followers.js';
import { Held, valuesPerSecond } from './held.js';
import { type BrpCall, operation } from './operation.js';
import { addRows, matching, type Query, queryData, readQuery, rowsOf } from './query.js';
import { typePaths } from './schemas.js';
import { variableOf, type World } from './world.js';

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

/** This run of the server: a watermark of another run is not compared. */
const BOOT = randomBytes(6).toString('base64url');

interface Watermark {
  readonly isOwn: boolean;
  readonly frame: number;
  readonly digest: string;
}

/** Throws an RpcError. */
function readWatermark(text: string): Watermark {
  const [, boot, frame, digest] = /^([\w-]{8})\.(\d{1,15})\.([\w-]{27})$/.exec(text) ?? [];
  if (digest === undefined) throw invalidParams('this is no watermark that a poll has answered');
  return { isOwn: boot === BOOT, frame: Number(frame), digest };
}

/** One component of one row, with the bytes that it had. */
interface Part {
  readonly variable: Variable | undefined;
  readonly bytes: Uint8Array;
}

/** What a query shows in one frame. */
class Picture {
  readonly digest: string;
  readonly frame: number;
  readonly catalogVersion: number;
  readonly variables: readonly Variable[];
  /** The same, to ask frames for them. */
  readonly shown: readonly Shown[];

  constructor(
    readonly rows: ReadonlyMap<number, readonly Part[]>,
    { header }: Frame,
  ) {
    this.frame = header.number;
    this.catalogVersion = header.catalogVersion;
    this.variables = [...rows.values()].flatMap((parts) => parts.flatMap(({ variable }) => variable ?? []));
    this.shown = this.variables.map(shownAs);
    const hash = createHash('sha1');
    for (const [number, parts] of rows) {
      hash.update(`${number}:${parts.length};`);
      for (const { bytes } of parts) hash.update(`${bytes.length}:`).update(bytes);
    }
    this.digest = hash.digest('base64url');
  }

  get watermark(): string {
    return `${BOOT}.${this.frame}.${this.digest}`;
  }

  /** Whether a frame of the same catalog shows the same. */
  isShownIn(frame: Frame): boolean {
    for (const parts of this.rows.values()) {
      for (const { variable, bytes } of parts) if (variable && !hasBytes(frame, variable, bytes)) return false;
    }
    return true;
  }

  /** Whether the same entities match in both. */
  hasSameRows(other: Picture): boolean {
    return this.rows.size === other.rows.size && [...this.rows.keys()].every((number) => other.rows.has(number));
  }

  /** Whether a row has the same bytes in both. */
  isSameRow(other: Picture, number: number): boolean {
    const [own = [], others = []] = [this.rows.get(number), other.rows.get(number)];
    return own.length === others.length && own.every(({ bytes }, index) => isSame(bytes, others[index]));
  }
}

const isSame = (bytes: Uint8Array, other: Part | undefined): boolean =>
  other !== undefined && Buffer.compare(bytes, other.bytes) === 0;

class Poll {
  private readonly held: Held;
  private readonly asked: Watermark | undefined;
  private readonly endMillis: number;

  constructor(
    private readonly call: BrpCall,
    private readonly params: PollParams,
  ) {
    const { watermark } = params;
    this.asked = typeof watermark === 'string' ? readWatermark(watermark) : undefined;
    this.held = new Held(call.account);
    this.endMillis = call.clock.nowMillis() + params.timeout_ms;
  }

  async answer(): Promise<AnswerText> {
    try {
      let before = this.asked?.isOwn ? await this.pictureNow() : undefined;
      // Equal to what the client has: only the next difference is an answer.
      while (before && before.digest === this.asked?.digest) {
        if (!(await this.nextDifference(before))) return this.nothing();
        const now = await this.pictureNow();
        if (now.digest !== before.digest) return await this.text(before);
        before = now;
      }
      return await this.text(undefined);
    } finally {
      this.held.release();
    }
  }

  private nothing(): AnswerText {
    const { frame } = this.call.source;
    const simTime = simTimeOf(this.call.source, frame);
    const { watermark } = this.params;
    return AnswerText.of(JSON.stringify({ entities: [], watermark, sim_time: simTime }));
  }

  private pictureNow(): Promise<Picture> {
    const { call } = this;
    return readWorld(call, (world, slice) => this.picture(world, slice));
  }

  private *picture(world: World, slice: Slice): Sliced<Picture | undefined> {
    const query = this.queryIn(world);
    const objects = query ? yield* matching(world, query, slice) : [];
    const variables = query ? this.variables(world, query, objects) : [];
    const { source, session } = this.call;
    if (world.catalog !== source.catalog || !session.canShow(variables.map(shownAs))) return undefined;
    const picture = this.take(world, query, objects, source.frame);
    this.hold(picture);
    return picture;
  }

  /** The rows' bytes in a frame of the world's catalog. */
  private take(world: World, query: Query | undefined, objects: readonly SimObject[], frame: Frame): Picture {
    const rows = objects.map((object) => {
      const parts = (query ? this.comparedIn(world, query, object) : []).map((path): Part => {
        const component = world.componentsOf(object).get(path);
        if (!component) {
          return { variable: undefined, bytes: Buffer.from(builtInText(world, object, path, this.call.generation)) };
        }
        const variable = variableOf(component);
        return { variable, bytes: bytesOf(frame, variable) };
      });
      return [object.number, parts] as const;
    });
    return new Picture(new Map(rows), frame);
  }

  private hold(picture: Picture): void {
    const { variables } = picture;
    this.held.set(
      'keptBytes',
      variables.reduce((sum, { type }) => sum + sizeOf(type), 0),
    );
    this.held.set('valuesPerSecond', valuesPerSecond(variables, this.call.source.frame.header));
  }

  private variables(world: World, query: Query, objects: readonly SimObject[]): Variable[] {
    return objects.flatMap((object) =>
      this.comparedIn(world, query, object).flatMap((path) => {
        const component = world.componentsOf(object).get(path);
        return component ? [variableOf(component)] : [];
      }),
    );
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

  /** True at a frame that shows something else, false when time runs out. Rejects when the simulation or client goes. */
  private nextDifference(picture: Picture): Promise<boolean> {
    const { call } = this;
    const waitMillis = this.endMillis - call.clock.nowMillis();
    if (waitMillis <= 0) return Promise.resolve(false);
    this.held.set('parked', 1);
    return new Promise((resolve, reject) => {
      const stops: (() => void)[] = [];
      const stop = () => {
        for (const end of stops.splice(0)) end();
      };
      const done = (isDifferent: boolean) => {
        stop();
        resolve(isDifferent);
      };
      const fail = (error: Error) => {
        stop();
        reject(error);
      };
      const follower: Follower = {
        account: call.account,
        look: (frame) => {
          if (frame.header.catalogVersion !== picture.catalogVersion) return done(true);
          if (!frame.showsAll(picture.shown)) return;
          if (!picture.isShownIn(frame)) done(true);
        },
        end: (reason) => fail(new RpcError(RpcCode.requestRefused, `the poll has ended: ${reason}`)),
      };
      const gone = () => fail(new GoneError());
      call.signal.addEventListener('abort', gone);
      stops.push(() => call.signal.removeEventListener('abort', gone));
      stops.push(call.clock.after(waitMillis, () => done(false)));
      stops.push(call.followers.add(follower));
      if (call.signal.aborted) gone();
    });
  }

  /** @param before what the client has; undefined when that is not known any more. */
  private async text(before: Picture | undefined): Promise<AnswerText> {
    const cells = new Cells(this.call);
    try {
      return await readWorld(this.call, (world, slice) => this.answerText(world, cells, before, slice));
    } finally {
      cells.release();
    }
  }

  private *answerText(
    world: World,
    cells: Cells,
    before: Picture | undefined,
    slice: Slice,
  ): Sliced<AnswerText | undefined> {
    const { generation, source } = this.call;
    const query = this.queryIn(world);
    cells.clear();
    const objects = query ? yield* matching(world, query, slice) : [];
    const rows = query ? yield* rowsOf(world, query, objects, cells, generation, slice) : [];
    if (!cells.take(world)) return undefined;
    const { frame } = source;
    const now = this.take(world, query, objects, frame);
    const known = before ?? this.pastPicture(world, query, objects);
    const isAll = !known || this.params.filter.changed.length === 0 || !known.hasSameRows(now);
    const shown = isAll ? rows : rows.filter(({ object }) => !known.isSameRow(now, object.number));
    const text = boundedText();
    text.add('{"entities":');
    yield* addRows(text, shown, cells, generation, slice);
    text.add(`,"watermark":${JSON.stringify(now.watermark)},"sim_time":${JSON.stringify(simTimeOf(source, frame))}`);
    const removed = known ? [...known.rows.keys()].filter((number) => !now.rows.has(number)) : [];
    if (removed.length > 0) text.add(`,"removed":[${removed.map((number) => entityOf(number, generation))}]`);
    text.add(this.asked && !known ? ',"resync":true}' : '}');
    return text;
  }

  /** What the client has seen, from the ring, if the frame is still there and nothing has come or gone since. */
  private pastPicture(world: World, query: Query | undefined, objects: readonly SimObject[]): Picture | undefined {
    if (!this.asked?.isOwn) return undefined;
    const { source } = this.call;
    const frame = source.past(this.asked.frame);
    if (frame?.header.catalogVersion !== source.catalog.version) return undefined;
    if (!query || !frame.showsAll(this.variables(world, query, objects).map(shownAs))) return undefined;
    const past = this.take(world, query, objects, frame);
    // A watermark that somebody has made up, or of another query.
    return past.digest === this.asked.digest ? past : undefined;
  }
}

const shownAs = (variable: Variable): Shown => ({ isShownIn: (frame: Frame): boolean => frame.shows(variable) });
