// The past of one number in bounded memory: the latest samples as they came, all before as least and greatest values.

import type { Extent, PastPoints } from '../../model/points/points.js';
import { thinned, withGaps } from '../../model/points/thinning.js';
import { type Extremes, ExtremesLevel, type Level, merge, Samples, setSingle, WIDTH } from './level.js';

/** How many records of a level one record of the next level stands for. */
const FACTOR = 4;
/** Records of a level, when there is room; what is older stands in the levels above. The highest level has the whole past. */
const MOST_RECORDS = 4096;
/** Records that are looked at for an answer, at least. */
const LEAST_LOOKED = 4096;
/** Times without a value that are remembered. */
const MOST_GAPS = 1000;

export interface Sample {
  readonly time: number;
  readonly value: number;
}

export class Pyramid {
  private readonly samples = new Samples();
  private readonly above: ExtremesLevel[] = [];
  private gaps: number[] = [];
  private oldest: Sample | undefined;
  /** Used again for every sample, because there are many. */
  private readonly extremes = new Float64Array(WIDTH);

  /** @param wholeSeconds how long all samples are kept as they came, when there is room. */
  constructor(private readonly wholeSeconds = Number.POSITIVE_INFINITY) {}

  /** Undefined before the first sample. */
  get extent(): Extent | undefined {
    const [{ lastTime, oldest }, whole] = [this, this.samples.records.length > 0 ? this.samples.startOf(0) : undefined];
    if (!oldest || lastTime === undefined) return undefined;
    return { from: oldest.time, to: lastTime, wholeFrom: whole ?? lastTime };
  }

  /** Time of the newest sample; undefined before the first. */
  get lastTime(): number | undefined {
    const { length } = this.samples.records;
    return length === 0 ? undefined : this.samples.startOf(length - 1);
  }

  /** The first sample at a time or later, of those that are kept as they came. */
  sampleFrom(time: number): Sample | undefined {
    const { samples } = this;
    const index = samples.records.first((record) => samples.startOf(record) >= time);
    if (index === samples.records.length) return undefined;
    return { time: samples.startOf(index), value: samples.valueOf(index) };
  }

  /** The first time without a value, from one time to another. */
  gapIn(from: number, to: number): number | undefined {
    return this.gaps.find((time) => time >= from && time <= to);
  }

  get bytes(): number {
    return this.levels.reduce((sum, { records }) => sum + records.bytes, 8 * this.gaps.length);
  }

  private get levels(): readonly Level[] {
    return [this.samples, ...this.above];
  }

  /** Adds a value. One at the same time replaces the last; when time goes back, later samples are forgotten. */
  add(time: number, value: number): void {
    const last = this.lastTime;
    if (last !== undefined && time <= last) {
      if (time === last && Object.is(this.samples.valueOf(this.samples.records.length - 1), value)) return;
      this.forgetFrom(time);
    }
    this.oldest ??= { time, value };
    this.samples.push(time, value);
    setSingle(this.extremes, time, value);
    this.raise(0, this.extremes);
    const { records } = this.samples;
    const next = records.afterFirstChunk;
    if (next !== undefined && this.samples.startOf(next) < time - this.wholeSeconds) records.shift();
  }

  /** Forgets the oldest of the most detailed, as long as it takes more memory than this. The whole past stays, thinned. */
  shrink(bytes: number): void {
    while (this.bytes > bytes) {
      const mayShrink = this.levels.filter((_, index) => this.mayForget(index));
      if (mayShrink.length === 0) return;
      mayShrink.reduce((one, other) => (one.records.bytes >= other.records.bytes ? one : other)).records.shift();
    }
  }

  /** Whether a level's oldest chunk is in the levels above, and what is left reaches as far back as the level below. */
  private mayForget(index: number): boolean {
    const [level, below] = [this.levels[index] as Level, this.levels[index - 1]];
    const next = level.records.afterFirstChunk;
    if (next === undefined || index >= this.above.length) return false;
    return !below || below.records.length === 0 || level.startOf(next) <= below.startOf(0);
  }

  /** Notes that there is no value at this time. */
  addGap(time: number): void {
    const last = this.lastTime;
    if (last !== undefined && time < last) this.forgetFrom(time);
    const lastGap = this.gaps.at(-1);
    // Only the first time of a gap tells something.
    if (lastGap !== undefined && (last === undefined || lastGap >= last)) return;
    this.gaps.push(time);
    if (this.gaps.length > MOST_GAPS) this.gaps.shift();
  }

  /** Time has jumped: there is no value from one step after the last sample up to the new time. */
  addJump(to: number, step: number): void {
    const last = this.lastTime;
    if (last !== undefined && to <= last) this.forgetFrom(to);
    const end = this.endTime;
    if (end !== undefined && end < to) this.addGap(Math.min(end + step, (end + to) / 2));
  }

  /** Time of the newest sample that is kept in some form. */
  private get endTime(): number | undefined {
    const ends = this.levels.flatMap((level) =>
      level.records.length > 0 ? [level.endOf(level.records.length - 1)] : [],
    );
    return this.lastTime ?? (ends.length > 0 ? Math.max(...ends) : undefined);
  }

  /**
   * At most about `most` points of a time span: all samples, or of each stretch the least, the greatest and the first NaN.
   * Times without a value come besides.
   */
  points(from: number, to: number, most: number): PastPoints {
    const found = new SpanPoints(this.levels, Math.max(2 * most, LEAST_LOOKED)).points(from, to);
    const { oldest } = this;
    if (oldest && oldest.time >= from && oldest.time <= to && found.times[0] !== oldest.time) {
      found.times.unshift(oldest.time);
      found.values.unshift(oldest.value);
    }
    return withGaps(
      thinned(found, most),
      this.gaps.filter((time) => time >= from && time <= to),
    );
  }

  /** Adds to what a level's next record will stand for. A level begins when the one below has as much as one record says. */
  private raise(index: number, extremes: Extremes): void {
    const level = this.above[index];
    if (!level) {
      const below = this.levels[index] as Level;
      if (below.records.length < FACTOR) return;
      const made = new ExtremesLevel();
      made.records.push(below.extremesFrom(Number.NEGATIVE_INFINITY) as Extremes);
      this.above.push(made);
      return;
    }
    if (level.pendingCount === 0) level.pending.set(extremes);
    else merge(level.pending, extremes);
    if (++level.pendingCount === FACTOR) this.complete(index);
  }

  private complete(index: number): void {
    const level = this.above[index] as ExtremesLevel;
    if (level.pendingCount === 0) return;
    level.pendingCount = 0;
    level.records.push(level.pending);
    this.raise(index + 1, level.pending);
    if (level.records.length > MOST_RECORDS && this.mayForget(index + 1)) level.records.shift();
  }

  private forgetFrom(time: number): void {
    // What is pending becomes a shorter record, so that nothing of it is lost.
    for (let index = 0; index < this.above.length; index++) this.complete(index);
    if (this.oldest && this.oldest.time >= time) this.oldest = undefined;
    const { records } = this.samples;
    while (records.length > 0 && this.samples.endOf(records.length - 1) >= time) records.pop();
    for (const [index, level] of this.above.entries()) this.cut(index, level, time);
    this.gaps = this.gaps.filter((gap) => gap < time);
  }

  /** Forgets a level's records from a time on; one across that time is made again from the level below. */
  private cut(index: number, level: ExtremesLevel, time: number): void {
    const { records } = level;
    let left: Extremes | undefined;
    for (let last = records.length - 1; last >= 0 && level.endOf(last) >= time; last--) {
      const start = level.startOf(last);
      if (start < time) {
        left = level.extremesBefore(last, time);
        const again = (this.levels[index] as Level).extremesFrom(start);
        if (again) merge(left, again);
      }
      records.pop();
    }
    if (left) records.push(left);
  }
}

/** The points of a stretch of time, of the finest levels of which at most so many records have to be looked at. */
class SpanPoints {
  private readonly into = { times: [] as number[], values: [] as (number | null)[], stretchSeconds: 0 };

  constructor(
    private readonly levels: readonly Level[],
    private readonly mostRecords: number,
  ) {}

  points(from: number, to: number): PastPoints {
    const until = justAfter(to);
    if (to >= from) this.cover(this.finestFor(from, until), from, until);
    return this.into;
  }

  private finestFor(from: number, until: number): number {
    let [best, count] = [this.levels.length - 1, 0];
    for (let index = best; index >= 0; index--) {
      const end = Math.min(until, index > 0 ? this.startOf(index - 1) : until);
      const { records } = this.levels[index] as Level;
      const inAll = this.firstFrom(index, until) - this.firstFrom(index, from);
      if (count + inAll <= this.mostRecords) best = index;
      count += records.length === 0 ? 0 : this.firstFrom(index, end) - this.firstFrom(index, from);
    }
    return best;
  }

  /** Time since which a level, or finer ones that go on where it has no record yet, have the past. */
  private startOf(index: number): number {
    const starts = this.levels
      .slice(0, index + 1)
      .map((level) => (level.records.length === 0 ? Number.POSITIVE_INFINITY : level.startOf(0)));
    return Math.min(...starts);
  }

  private firstFrom(index: number, time: number): number {
    const level = this.levels[index] as Level;
    return level.records.first((record) => level.startOf(record) >= time);
  }

  /** A level's part, and before it what only coarser levels have. */
  private cover(index: number, from: number, until: number): void {
    const start = this.startOf(index);
    if (from < start && index + 1 < this.levels.length) this.cover(index + 1, from, Math.min(until, start));
    if (until > start) this.addOwn(index, Math.max(from, start), until);
  }

  /** A level's records, and at both ends, where they reach over the stretch, those of finer levels. */
  private addOwn(index: number, from: number, until: number): void {
    const level = this.levels[index] as Level;
    const first = this.firstFrom(index, from);
    const end = level.records.first((record) => level.endOf(record) >= until);
    const isEmpty = first >= end;
    if (index > 0) this.addEnd(index - 1, from, isEmpty ? until : level.startOf(first));
    this.add(level, first, end, from, until);
    if (index > 0 && !isEmpty) this.addEnd(index - 1, justAfter(level.endOf(end - 1)), until);
  }

  private addEnd(index: number, from: number, until: number): void {
    const start = this.startOf(index);
    if (from < start) {
      const coarser = this.levels[index + 1] as Level;
      const before = Math.min(until, start);
      const first = coarser.records.first((record) => coarser.endOf(record) >= from);
      const end = coarser.records.first((record) => coarser.startOf(record) >= before);
      this.add(coarser, first, end, from, before);
    }
    if (until > start) this.addOwn(index, Math.max(from, start), until);
  }

  private add(level: Level, first: number, end: number, from: number, until: number): void {
    for (let index = first; index < end; index++) level.addPoints(index, from, until, this.into);
    if (level === this.levels[0] || first >= end) return;
    const [before, after] = [Math.max(first - 1, 0), Math.min(end, level.records.length - 1)];
    const seconds = level.startOf(after) - level.startOf(before);
    const stretch = after > before ? seconds / (after - before) : level.endOf(after) - level.startOf(after);
    this.into.stretchSeconds = Math.max(this.into.stretchSeconds, stretch);
  }
}

/** The next time that differs. */
export const justAfter = (time: number): number => time + Math.max(Math.abs(time) * Number.EPSILON, Number.MIN_VALUE);
