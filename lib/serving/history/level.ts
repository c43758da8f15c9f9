// The levels of a pyramid: the samples, and above them records of the extremes of more and more samples.
import type { Points } from '../../model/points/points.js';
import { Records } from './records.js';

/** A record: the least value with its time, the greatest with its time, the first time of NaN. Its numbers by name: */
export type Extremes = Float64Array;
const LEAST_TIME = 0;
const LEAST = 1;
const GREATEST_TIME = 2;
const GREATEST = 3;
/** NaN where all values are numbers. */
const HOLE_TIME = 4;
export const WIDTH = 5;

/** Levels are read alike. Records of one are in order of time, and none reaches over the next. */
export interface Level {
  readonly records: Records;
  /** Times of a record's first and last point. */
  startOf(index: number): number;
  endOf(index: number): number;
  /** Adds a record's points from a time on and before another. */
  addPoints(index: number, from: number, until: number, into: Points): void;
  /** The extremes of all records that begin at a time or later; undefined when there are none. */
  extremesFrom(start: number): Extremes | undefined;
}

export class Samples implements Level {
  readonly records = new Records(2);
  /** Used again for every sample, because there are many. */
  private readonly sample = new Float64Array(2);

  push(time: number, value: number): void {
    this.sample[0] = time;
    this.sample[1] = value;
    this.records.push(this.sample);
  }

  startOf(index: number): number {
    return this.records.at(index, 0);
  }

  endOf(index: number): number {
    return this.records.at(index, 0);
  }

  valueOf(index: number): number {
    return this.records.at(index, 1);
  }

  addPoints(index: number, from: number, until: number, into: Points): void {
    addPoint(into, this.startOf(index), this.valueOf(index), from, until);
  }

  extremesFrom(start: number): Extremes | undefined {
    const first = this.records.first((index) => this.startOf(index) >= start);
    if (first === this.records.length) return undefined;
    const [all, one] = [new Float64Array(WIDTH), new Float64Array(WIDTH)];
    setSingle(all, this.startOf(first), this.valueOf(first));
    for (let index = first + 1; index < this.records.length; index++) {
      setSingle(one, this.startOf(index), this.valueOf(index));
      merge(all, one);
    }
    return all;
  }
}

export class ExtremesLevel implements Level {
  readonly records = new Records(WIDTH);
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
    const { records } = this;
    const [least, hole] = [records.at(index, LEAST_TIME), records.at(index, HOLE_TIME)];
    return [least, records.at(index, GREATEST_TIME), Number.isNaN(hole) ? least : hole];
  }

  addPoints(index: number, from: number, until: number, into: Points): void {
    const { records } = this;
    const [leastTime, least] = [records.at(index, LEAST_TIME), records.at(index, LEAST)];
    const [greatestTime, greatest] = [records.at(index, GREATEST_TIME), records.at(index, GREATEST)];
    const hole = records.at(index, HOLE_TIME);
    const addHole = (after: number, before: number): void => {
      if (hole > after && hole < before) addPoint(into, hole, Number.NaN, from, until);
    };
    const isLeastFirst = leastTime <= greatestTime;
    const [first, second] = isLeastFirst ? [leastTime, greatestTime] : [greatestTime, leastTime];
    addHole(Number.NEGATIVE_INFINITY, first);
    addPoint(into, first, isLeastFirst ? least : greatest, from, until);
    addHole(first, second);
    if (first !== second) addPoint(into, second, isLeastFirst ? greatest : least, from, until);
    addHole(second, Number.POSITIVE_INFINITY);
  }

  extremesFrom(start: number): Extremes | undefined {
    const { records } = this;
    const first = records.first((index) => this.startOf(index) >= start);
    if (first === records.length) return undefined;
    const all = this.extremesOf(first);
    for (let index = first + 1; index < records.length; index++) merge(all, this.extremesOf(index));
    return all;
  }

  /** What is known of a record's samples before a time, of which there are some. */
  extremesBefore(index: number, time: number): Extremes {
    const points: Points = { times: [], values: [] };
    this.addPoints(index, Number.NEGATIVE_INFINITY, time, points);
    const [all, one] = [new Float64Array(WIDTH), new Float64Array(WIDTH)];
    for (const [k, at] of points.times.entries()) {
      setSingle(k === 0 ? all : one, at, points.values[k] as number);
      if (k > 0) merge(all, one);
    }
    return all;
  }

  private extremesOf(index: number): Extremes {
    return Float64Array.from({ length: WIDTH }, (_, field) => this.records.at(index, field));
  }
}

export function setSingle(extremes: Extremes, time: number, value: number): void {
  extremes[LEAST_TIME] = time;
  extremes[LEAST] = value;
  extremes[GREATEST_TIME] = time;
  extremes[GREATEST] = value;
  extremes[HOLE_TIME] = Number.isNaN(value) ? time : Number.NaN;
}

/** Puts the extremes of later samples to those of earlier ones. */
export function merge(into: Extremes, later: Extremes): void {
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

function addPoint({ times, values }: Points, time: number, value: number, from: number, until: number): void {
  if (time < from || time >= until) return;
  times.push(time);
  values.push(value);
}
