// Compares two recordings, variable by variable, at the times that both have.
import type { LeafValue } from '../../model/state/memory.js';
import type { Column } from '../../simulation/recording/row.js';
import type { Recording } from './recording.js';

export interface Tolerance {
  /** By how much numbers may differ. */
  readonly absolute: number;
  /** By what part of the greater one they may differ besides. */
  readonly relative: number;
}

/** A moment at which two values differ. */
export interface ValuePair {
  readonly seconds: number;
  readonly values: readonly [LeafValue, LeafValue];
  /** Infinity for values that have no distance, such as NaN and 1. */
  readonly by: number;
}

/** A variable whose values differ. */
export interface Difference {
  readonly name: string;
  /** In how many rows. */
  readonly rows: number;
  readonly first: ValuePair;
  readonly largest: ValuePair;
}

export interface Comparison {
  /** Rows at times that both recordings have. */
  readonly rows: number;
  /** Rows at times that only one of them has. */
  readonly alone: readonly [number, number];
  /** Variables that both have. */
  readonly variables: number;
  readonly differences: readonly Difference[];
  /** Why variables were not compared, one sentence each. */
  readonly unlike: readonly string[];
}

/** Times that differ by less are the same. */
const NEAR_SECONDS = 1e-9;

export function compare(one: Recording, other: Recording, tolerance: Tolerance): Comparison {
  const { pairs, unlike } = paired(one, other);
  const alone: [number, number] = [0, 0];
  let [rows, here, there] = [0, 0, 0];
  while (here < one.rows && there < other.rows) {
    const seconds = one.seconds(here);
    const later = seconds - other.seconds(there);
    if (later < -NEAR_SECONDS) here++;
    else if (later > NEAR_SECONDS) there++;
    else {
      for (const pair of pairs)
        pair.look(seconds, [one.value(pair.one, here), other.value(pair.other, there)], tolerance);
      [rows, here, there] = [rows + 1, here + 1, there + 1];
    }
  }
  alone[0] = one.rows - rows;
  alone[1] = other.rows - rows;
  return { rows, alone, variables: pairs.length, differences: pairs.flatMap((pair) => pair.difference ?? []), unlike };
}

/** One variable of both recordings. */
class Pair {
  private rows = 0;
  private first: ValuePair | undefined;
  private largest: ValuePair | undefined;

  constructor(
    readonly one: Column,
    readonly other: Column,
  ) {}

  look(seconds: number, values: ValuePair['values'], tolerance: Tolerance): void {
    const by = distance(values, tolerance);
    if (by === 0) return;
    this.rows++;
    const place = { seconds, values, by };
    this.first ??= place;
    if (by > (this.largest?.by ?? 0)) this.largest = place;
  }

  get difference(): Difference | undefined {
    const { rows, first, largest } = this;
    return first && largest && { name: this.one.name, rows, first, largest };
  }
}

/** By how much two values differ; 0 within the tolerance. */
function distance([one, other]: ValuePair['values'], { absolute, relative }: Tolerance): number {
  if (Object.is(one, other)) return 0;
  if (typeof one === 'string' || typeof other === 'string') return Number.POSITIVE_INFINITY;
  const by =
    typeof one === 'bigint' && typeof other === 'bigint'
      ? Math.abs(Number(one - other))
      : Math.abs(Number(one) - Number(other));
  if (Number.isNaN(by)) return Number.isNaN(Number(one)) && Number.isNaN(Number(other)) ? 0 : Number.POSITIVE_INFINITY;
  return by <= absolute + relative * Math.max(Math.abs(Number(one)), Math.abs(Number(other))) ? 0 : by;
}

/** Pairs variables of the same name and units; the times are paired by their rows. */
function paired(one: Recording, other: Recording): { pairs: Pair[]; unlike: string[] } {
  const [mine, theirs] = [variablesOf(one), variablesOf(other)] as const;
  const pairs: Pair[] = [];
  const unlike: string[] = [];
  for (const [name, column] of mine) {
    const same = theirs.get(name);
    if (!same) unlike.push(`${name} is only in ${one.file}`);
    else if (unitsOf(same) !== unitsOf(column))
      unlike.push(`${name} is in ${column.units}, and in ${same.units} in ${other.file}`);
    else pairs.push(new Pair(column, same));
  }
  for (const name of theirs.keys()) if (!mine.has(name)) unlike.push(`${name} is only in ${other.file}`);
  return { pairs, unlike };
}

const variablesOf = ({ columns, time }: Recording): ReadonlyMap<string, Column> =>
  new Map(columns.filter((column) => column !== time).map((column) => [column.name, column]));

/** `--` and `1` are no units. */
const unitsOf = ({ units }: Column): string => (units === '1' ? '--' : units);
