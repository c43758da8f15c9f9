// brp.poll: answers when what a query shows has changed since the client's watermark, as the proposal before Bevy's
// protocol wanted it.

import { z } from 'zod';
import type { Frame } from '../../model/frame/reader.js';
import type { SimObject } from '../../model/state/catalog.js';
import { holdsPointers } from '../../model/state/pointers.js';
import type { Variable } from '../../model/state/variable.js';
import { Held } from '../../serving/scheduling/held.js';
import { eachInTurns, RANGE } from '../../serving/scheduling/ranges.js';
import { shownPart } from '../../serving/session/read.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { settledFrame } from '../json-rpc/call-context.js';
import { GONE } from '../json-rpc/caller.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import { boundedText, builtInText, Cells, readWorld } from './cells.js';
import { variableOf } from './component.js';
import { bytesOf } from './component-bytes.js';
import { entityOf } from './entity.js';
import { type Evaluation, Evaluations } from './evaluations.js';
import { nextDifference } from './next-difference.js';
import { type BrpCall, operation } from './operation.js';
import { Picture, readWatermark, type Watermark } from './picture.js';
import { addRow, addRows, eachMatch, type Query, queryData, type Row, readQuery, rowOf } from './query.js';
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
      return await this.text(now, known);
    } finally {
      this.held.release();
    }
  }

  private nothing({ simTime }: Evaluation): AnswerText {
    return AnswerText.of(JSON.stringify({ entities: [], watermark: this.params.watermark, sim_time: simTime }));
  }

  /** @param known what the client has; undefined when the server does not know that any more. */
  private async text(now: Evaluation, known: Picture | undefined): Promise<AnswerText> {
    await this.call.turn();
    const { picture, simTime } = now;
    const text = boundedText();
    text.add('{"entities":[');
    if (!known || this.params.filter.changed.length === 0 || !known.hasSameRows(picture)) text.append(now.text);
    else await this.addChanged(text, now, known);
    text.add(`],"watermark":${JSON.stringify(picture.watermark)},"sim_time":${JSON.stringify(simTime)}`);
    const removed = known ? [...known.rows.keys()].filter((number) => !picture.rows.has(number)) : [];
    const gone = removed.map((number) => entityOf(number, this.call.generation));
    if (gone.length > 0) text.add(`,"removed":${JSON.stringify(gone)}`);
    const isUnknown = this.asked && !known && (!this.asked.isOwn || this.params.filter.changed.length > 0);
    text.add(isUnknown ? ',"resync":true}' : '}');
    return text;
  }

  private addChanged(text: AnswerText, { picture, rows }: Evaluation, known: Picture): Promise<void> {
    let count = 0;
    return eachInTurns(this.call.turn, rows, ([number, row]) => {
      if (known.isSameRow(picture, number)) return;
      if (count++ > 0) text.add(',');
      text.append(row);
    });
  }

  /** What the query shows in the latest frame. */
  private async evaluate(): Promise<Evaluation> {
    const { call, key } = this;
    await settledFrame(call);
    const { number } = call.source.frame.header;
    const evaluations = Evaluations.of(call.source);
    const cells = new Cells(call);
    try {
      const read = (world: World) => evaluations.get(key, number, () => this.evaluation(world, cells));
      return await readWorld(call, read, cells);
    } finally {
      cells.release();
    }
  }

  private async evaluation(world: World, cells: Cells): Promise<Evaluation | undefined> {
    const { generation, source, turn } = this.call;
    // Another client's evaluation may have been waited for.
    await turn();
    cells.clear();
    const query = this.queryIn(world);
    const rows: Row[] = [];
    const compared: Compared[] = [];
    const comparedIn = query && this.comparedBy(world, query);
    if (query && comparedIn)
      await eachMatch(turn, world, query, (object) => {
        rows.push(rowOf(world, query, object, cells, generation));
        const one = comparedIn(object);
        compared.push(one);
        for (const { variable } of one.parts) if (variable) cells.need(variable);
      });
    let picture: Picture | undefined;
    let simTime = {};
    const look = (frame: Frame): Promise<void> | undefined => {
      const own = new Picture(frame);
      [picture, simTime] = [own, simTimeOf(source, frame)];
      return cells.each(compared, (one) => this.show(own, world, one, frame));
    };
    if (!(await cells.take(world, rows.length > MANY_OBJECTS, look)) || !picture) return undefined;
    return { picture, simTime, ...(await this.textsOf(rows, cells)) };
  }

  private async textsOf(rows: readonly Row[], cells: Cells): Promise<Pick<Evaluation, 'text' | 'rows'>> {
    const { generation, turn } = this.call;
    const all = boundedText();
    const texts: [number, AnswerText][] = [];
    if (this.params.filter.changed.length === 0) await addRows(all, rows, cells, generation);
    else
      for (const [index, row] of rows.entries()) {
        if (index % RANGE === 0) await turn();
        if (index > 0) all.add(',');
        const text = boundedText();
        await addRow(text, row, cells, generation);
        texts.push([row.object.number, text]);
        all.append(text);
      }
    all.encode();
    return { text: all, rows: texts };
  }

  /** Adds an object as a frame of the world's catalog shows it, which is asked for nothing. */
  private show(picture: Picture, world: World, { object, parts }: Compared, frame: Frame): void {
    const { generation } = this.call;
    const taken = parts.map(({ path, variable }) => ({
      variable,
      bytes: variable ? bytesOf(frame, variable) : Buffer.from(builtInText(world, object, path, generation)),
    }));
    picture.add(object.number, taken, frame);
  }

  /** Gives the components of an object in which a difference counts. */
  private comparedBy(world: World, query: Query): (object: SimObject) => Compared {
    const changed = this.params.filter.changed.flatMap((name) => world.resolve(name) ?? []);
    const named = query.components.map(({ path }) => path);
    const pathsIn = (object: SimObject): string[] => {
      if (changed.length > 0) return changed;
      const option = query.option === 'all' ? world.pathsOf(object) : query.option.map(({ path }) => path);
      return [...new Set([...named, ...option])].filter((path) => world.has(object, path));
    };
    return (object) => {
      const components = world.componentsOf(object);
      const parts = pathsIn(object).map((path) => {
        const component = components.get(path);
        return { path, variable: component && variableOf(component) };
      });
      return { object, parts };
    };
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
      const { found } = await readWorld(this.call, (world) => this.lookBack(world, cells, asked));
      return found;
    } finally {
      cells.release();
    }
  }

  private async lookBack(world: World, cells: Cells, asked: Watermark): Promise<{ found: Picture | undefined }> {
    const { source, turn } = this.call;
    const query = this.queryIn(world);
    const compared: Compared[] = [];
    const comparedIn = query && this.comparedBy(world, query);
    if (query && comparedIn)
      await eachMatch(turn, world, query, (object) => {
        compared.push(comparedIn(object));
      });
    const past = (): Frame | undefined => (world.catalog === source.catalog ? source.past(asked.frame) : undefined);
    const isMany = compared.length > MANY_OBJECTS;
    if (isMany && past()) await cells.prepareCopy();
    const frame = past();
    if (!frame) return { found: undefined };
    // A past frame may be another one after a turn.
    const kept = isMany ? cells.keepFrame(frame) : frame;
    requireFewPointers(compared, kept);
    const picture = new Picture(kept);
    const showing = cells.each(compared, (one) => this.show(picture, world, one, kept));
    if (showing) await showing;
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

/** Throws a TooManyPointersError. */
function requireFewPointers(compared: readonly Compared[], frame: Frame): void {
  const variables = compared.flatMap(({ parts }) => parts.flatMap(({ variable }) => variable ?? []));
  const pointing = variables.filter(({ type }) => holdsPointers(type));
  frame.showsAll(pointing.map((variable) => shownPart(variable)));
}
