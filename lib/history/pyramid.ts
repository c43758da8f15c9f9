// The past of one number in bounded memory: the latest samples as they came, older ones as least and greatest values.
import { Ring } from './ring.js';

/** Records of a level, and how many of them one record of the next level stands for. */
const CAPACITY = 2048;
const FACTOR = 4;
/** Levels above the samples: the last one's records stand for 1024 samples each, so it reaches 2 million back. */
const LEVELS = 5;
/** Times without a value that are remembered. */
const MOST_GAPS = 1000;

/** Points in order of time; null is a time without a value. */
export interface Points {
  readonly times: number[];
  readonly values: (number | null)[];
}

/** A record: the least value with its time, the greatest with its time, the first time of NaN. Its numbers by name: */
type Extremes = Float64Array;
const LEAST_TIME = 0;
const LEAST = 1;
const GREATEST_TIME = 2;
const GREATEST = 3;
/** NaN where all values are numbers. */
const HOLE_TIME = 4;
const WIDTH = 5;

class Level {
  readonly ring = new Ring(WIDTH, CAPACITY);
  /** What the next record will stand for, and how many records of the level below are in it. */
  readonly pending: Extremes = new Float64Array(WIDTH);
  pendingCount = 0;

  startOf(index: number): number {
    return Math.min(...this.timesOf(index));
  }

  endOf(index: number): number {
    return Math.max(...this.timesOf(index));
  }

  private timesOf(index: number): [number, number, number] {
    const [least, greatest, hole] = [LEAST_TIME, GREATEST_TIME, HOLE_TIME].map((field) =>
      this.ring.at(index, field),
    ) as [number, number, number];
    return [least, greatest, Number.isNaN(hole) ? least : hole];
  }

  extremesOf(index: number): Extremes {
    const { ring } = this;
    return Float64Array.from({ length: WIDTH }, (_, field) => ring.at(index, field));
  }
}

/** Keeps the time of each extreme, for one variable alone; a plot's variables share their times (SamplePyramid). */
export class Pyramid {
  private readonly samples = new Ring(2, CAPACITY);
  private readonly levels = Array.from({ length: LEVELS }, () => new Level());
  private gaps: number[] = [];
  /** Used again for every sample, because there are many. */
  private readonly sample = new Float64Array(2);
  private readonly extremes: Extremes = new Float64Array(WIDTH);

  /** Time of the newest sample; undefined before the first. */
  get lastTime(): number | undefined {
    const { length } = this.samples;
    return length === 0 ? undefined : this.samples.at(length - 1, 0);
  }

  /** Time of the oldest sample that is kept in some form. */
  get firstTime(): number | undefined {
    for (const level of [...this.levels].reverse()) if (level.ring.length > 0) return level.startOf(0);
    return this.samples.length === 0 ? undefined : this.samples.at(0, 0);
  }

  /** Time since which all samples are kept as they came; undefined before the first. */
  get wholeTime(): number | undefined {
    return this.samples.length === 0 ? undefined : this.samples.at(0, 0);
  }

  /** Adds a value. One at the same time replaces the last; when time goes back, later samples are forgotten. */
  add(time: number, value: number): void {
    const last = this.lastTime;
    if (last !== undefined && time <= last) {
      if (time === last && Object.is(this.samples.at(this.samples.length - 1, 1), value)) return;
      this.forgetFrom(time);
    }
    this.sample[0] = time;
    this.sample[1] = value;
    this.samples.push(this.sample);
    setSingle(this.extremes, time, value);
    this.raise(0, this.extremes);
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
    if (this.samples.length > 0) return this.lastTime;
    const ends = this.levels.flatMap((level) => (level.ring.length > 0 ? [level.endOf(level.ring.length - 1)] : []));
    return ends.length > 0 ? Math.max(...ends) : undefined;
  }

  /**
   * At most about `most` points of a time span: all samples, or of each stretch the least, the greatest and the first NaN.
   */
  points(from: number, to: number, most: number): Points {
    const all: Points = { times: [], values: [] };
    this.collect(from, to, all);
    return withGaps(
      thinned(all, most),
      this.gaps.filter((time) => time >= from && time <= to),
    );
  }

  /** The finest level has the newest times; each coarser level adds the times before those. */
  private collect(from: number, to: number, into: Points): void {
    const { samples, levels } = this;
    const starts = [samples.length === 0 ? Number.POSITIVE_INFINITY : samples.at(0, 0)];
    for (const [index, level] of levels.entries()) {
      const finer = starts[index] as number;
      starts.push(level.ring.length === 0 ? finer : Math.min(finer, level.startOf(0)));
    }
    for (let index = levels.length - 1; index >= 0; index--)
      addLevel(levels[index] as Level, from, to, starts[index] as number, into);
    for (let index = 0; index < samples.length; index++)
      addPoint(into, samples.at(index, 0), samples.at(index, 1), from, to);
  }

  /** Adds to what a level's next record will stand for. */
  private raise(index: number, extremes: Extremes): void {
    const level = this.levels[index];
    if (!level) return;
    if (level.pendingCount === 0) level.pending.set(extremes);
    else merge(level.pending, extremes);
    if (++level.pendingCount === FACTOR) this.complete(index);
  }

  private complete(index: number): void {
    const level = this.levels[index] as Level;
    if (level.pendingCount === 0) return;
    level.pendingCount = 0;
    level.ring.push(level.pending);
    this.raise(index + 1, level.pending);
  }

  private forgetFrom(time: number): void {
    // What is pending becomes a shorter record, so that nothing of it is lost.
    for (let index = 0; index < this.levels.length; index++) this.complete(index);
    const { samples } = this;
    while (samples.length > 0 && samples.at(samples.length - 1, 0) >= time) samples.pop();
    for (const [index, level] of this.levels.entries()) this.cut(index, level, time);
    this.gaps = this.gaps.filter((gap) => gap < time);
  }

  /** Forgets a level's records from a time on; one across that time is made again from the level below. */
  private cut(index: number, level: Level, time: number): void {
    const { ring } = level;
    let start: number | undefined;
    while (ring.length > 0 && level.endOf(ring.length - 1) >= time) {
      start = level.startOf(ring.length - 1);
      ring.pop();
    }
    if (start === undefined || start >= time) return;
    const again = index === 0 ? samplesFrom(this.samples, start) : recordsFrom(this.levels[index - 1] as Level, start);
    if (again) ring.push(again);
  }
}

function setSingle(extremes: Extremes, time: number, value: number): void {
  extremes[LEAST_TIME] = time;
  extremes[LEAST] = value;
  extremes[GREATEST_TIME] = time;
  extremes[GREATEST] = value;
  extremes[HOLE_TIME] = Number.isNaN(value) ? time : Number.NaN;
}

/** Puts the extremes of later samples to those of earlier ones. */
function merge(into: Extremes, later: Extremes): void {
  const [least, greatest] = [into[LEAST] as number, into[GREATEST] as number];
  if ((later[LEAST] as number) < least || Number.isNaN(least)) {
    into[LEAST_TIME] = later[LEAST_TIME] as number;
    into[LEAST] = later[LEAST] as number;
  }
  if ((later[GREATEST] as number) > greatest || Number.isNaN(greatest)) {
    into[GREATEST_TIME] = later[GREATEST_TIME] as number;
    into[GREATEST] = later[GREATEST] as number;
  }
  if (Number.isNaN(into[HOLE_TIME])) into[HOLE_TIME] = later[HOLE_TIME] as number;
}

function samplesFrom(samples: Ring, start: number): Extremes | undefined {
  let first = samples.length;
  while (first > 0 && samples.at(first - 1, 0) >= start) first--;
  if (first === samples.length) return undefined;
  const [all, one] = [new Float64Array(WIDTH), new Float64Array(WIDTH)];
  setSingle(all, samples.at(first, 0), samples.at(first, 1));
  for (let index = first + 1; index < samples.length; index++) {
    setSingle(one, samples.at(index, 0), samples.at(index, 1));
    merge(all, one);
  }
  return all;
}

function recordsFrom(level: Level, start: number): Extremes | undefined {
  let first = level.ring.length;
  while (first > 0 && level.startOf(first - 1) >= start) first--;
  if (first === level.ring.length) return undefined;
  const all = level.extremesOf(first);
  for (let index = first + 1; index < level.ring.length; index++) merge(all, level.extremesOf(index));
  return all;
}

/** Adds a level's points that lie before what finer levels have. */
function addLevel(level: Level, from: number, to: number, before: number, into: Points): void {
  for (let index = 0; index < level.ring.length; index++) {
    if (level.startOf(index) >= before) return;
    const { ring } = level;
    const [leastTime, least] = [ring.at(index, LEAST_TIME), ring.at(index, LEAST)];
    const [greatestTime, greatest] = [ring.at(index, GREATEST_TIME), ring.at(index, GREATEST)];
    const hole = ring.at(index, HOLE_TIME);
    const add = (time: number, value: number): void => {
      if (time < before) addPoint(into, time, value, from, to);
    };
    const addHole = (after: number, until: number): void => {
      if (hole > after && hole < until) add(hole, Number.NaN);
    };
    const isLeastFirst = leastTime <= greatestTime;
    const [first, second] = isLeastFirst ? [leastTime, greatestTime] : [greatestTime, leastTime];
    addHole(Number.NEGATIVE_INFINITY, first);
    add(first, isLeastFirst ? least : greatest);
    addHole(first, second);
    if (first !== second) add(second, isLeastFirst ? greatest : least);
    addHole(second, Number.POSITIVE_INFINITY);
  }
}

function addPoint({ times, values }: Points, time: number, value: number, from: number, to: number): void {
  if (time < from || time > to) return;
  times.push(time);
  values.push(value);
}

/** Keeps the least, the greatest and the first NaN of each of equal stretches of time, and the first and last of all. */
function thinned(all: Points, most: number): Points {
  const { times, values } = all;
  const count = times.length;
  if (count <= most) return all;
  const [start, end] = [times[0] as number, times[count - 1] as number];
  const stretches = Math.max(1, Math.floor((most - 2) / (values.some(Number.isNaN) ? 3 : 2)));
  const stretchOf = (index: number): number =>
    Math.min(stretches - 1, Math.floor((stretches * ((times[index] as number) - start)) / (end - start)));
  const kept: Points = { times: [], values: [] };
  for (let first = 0; first < count; ) {
    const stretch = stretchOf(first);
    let next = first + 1;
    while (next < count && stretchOf(next) === stretch) next++;
    const { least, greatest, hole } = chosenOf(values as number[], first, next);
    const chosen = new Set([least, greatest]);
    // With few points there is room for the extremes alone.
    if (most >= 5 && hole !== undefined) chosen.add(hole);
    if (most >= 4) for (const edge of [0, count - 1]) if (edge >= first && edge < next) chosen.add(edge);
    for (const index of [...chosen].sort((one, other) => one - other)) {
      kept.times.push(times[index] as number);
      kept.values.push(values[index] as number);
    }
    first = next;
  }
  return kept;
}

/** Where the least, the greatest and the first NaN stand from one index up to another. */
function chosenOf(
  values: readonly number[],
  first: number,
  next: number,
): { least: number; greatest: number; hole: number | undefined } {
  let [least, greatest, hole] = [first, first, undefined as number | undefined];
  for (let index = first; index < next; index++) {
    const [value, low, high] = [values[index], values[least], values[greatest]] as [number, number, number];
    if (Number.isNaN(value)) hole ??= index;
    if (value < low || Number.isNaN(low)) least = index;
    if (value > high || Number.isNaN(high)) greatest = index;
  }
  return { least, greatest, hole };
}

function withGaps(points: Points, gaps: readonly number[]): Points {
  if (gaps.length === 0) return points;
  const merged: Points = { times: [], values: [] };
  let next = 0;
  const addUpTo = (time: number): void => {
    for (; next < points.times.length && (points.times[next] as number) < time; next++) {
      merged.times.push(points.times[next] as number);
      merged.values.push(points.values[next] as number);
    }
  };
  for (const gap of gaps) {
    addUpTo(gap);
    merged.times.push(gap);
    merged.values.push(null);
  }
  addUpTo(Number.POSITIVE_INFINITY);
  return merged;
}
