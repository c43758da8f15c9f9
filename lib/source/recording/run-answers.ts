// What is asked of recorded runs: which there are, what one has, values of one, and where two differ.
import type { LeafValue } from '../../model/state/memory.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import type { Column } from '../../simulation/recording/row.js';
import { compare, type Difference, type ValuePair } from './compare.js';
import { openRecording } from './open.js';
import type { Recording } from './recording.js';
import { runFile, runFiles } from './run-files.js';
import { survey } from './survey.js';

/** A page of a list. */
interface Page {
  /** How many come before it. */
  readonly offset: number;
  readonly limit: number;
}

export type RunQuestion =
  | ({ readonly kind: 'list' } & Page)
  | ({ readonly kind: 'open'; readonly file: string } & Page)
  | {
      readonly kind: 'read';
      readonly file: string;
      readonly names: readonly string[];
      readonly from?: number;
      readonly to?: number;
      readonly samples: number;
    }
  | ({
      readonly kind: 'compare';
      readonly one: string;
      readonly other: string;
      readonly tolerance: number;
      readonly relative: number;
    } & Page);

/** Sentences of each kind that one answer has. */
const MOST_SENTENCES = 20;

/** Throws an Error with one sentence for what cannot be answered. */
export function runAnswer(directories: readonly string[], question: RunQuestion): object {
  switch (question.kind) {
    case 'list': {
      const { files, more } = runFiles(directories);
      return { files: pageOf(files, question), total: files.length, more: more || hasMore(files, question) };
    }
    case 'open':
      return using([runFile(directories, question.file)], ([recording]) => opened(recording as Recording, question));
    case 'read':
      return using([runFile(directories, question.file)], ([recording]) => read(recording as Recording, question));
    case 'compare': {
      const paths = [question.one, question.other].map((file) => runFile(directories, file));
      return using(paths, ([one, other]) => compared(one as Recording, other as Recording, question));
    }
  }
}

const pageOf = <T>(all: readonly T[], { offset, limit }: Page): readonly T[] => all.slice(offset, offset + limit);
const hasMore = (all: readonly unknown[], { offset, limit }: Page): boolean => offset + limit < all.length;

function using(paths: readonly string[], answer: (recordings: readonly Recording[]) => object): object {
  const recordings: Recording[] = [];
  try {
    for (const path of paths) recordings.push(openRecording(path));
    for (const recording of recordings) recording.check();
    return answer(recordings);
  } finally {
    for (const recording of recordings) recording.close();
  }
}

function opened(recording: Recording, { file, ...page }: Extract<RunQuestion, { kind: 'open' }>): object {
  const { variables, firstSeconds = null, lastSeconds = null, ...found } = survey(recording);
  return {
    file,
    format: recording.format,
    rows: found.rows,
    first_seconds: firstSeconds,
    last_seconds: lastSeconds,
    duration_seconds: firstSeconds === null || lastSeconds === null ? null : plain(lastSeconds - firstSeconds),
    step_seconds: found.stepSeconds ?? null,
    gaps: found.gaps,
    first_gaps: found.firstGaps.map(({ fromSeconds, toSeconds }) => ({ from: fromSeconds, to: toSeconds })),
    rows_with_equal_times: found.equalTimes,
    rows_with_earlier_times: found.earlierTimes,
    rows_without_time: found.noTimes,
    faults: recording.faults.slice(0, MOST_SENTENCES),
    variables: pageOf(variables, page),
    total: variables.length,
    more: hasMore(variables, page),
  };
}

function read(recording: Recording, question: Extract<RunQuestion, { kind: 'read' }>): object {
  const { names, from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY } = question;
  const columns = new Map(recording.columns.map((column) => [column.name, column]));
  const wanted = names.flatMap((name) => columns.get(name) ?? []);
  const found = wanted.map((column) => ({ column, rows: [] as number[], numbers: new Numbers() }));
  const rows: number[] = [];
  for (let row = 0; row < recording.rows; row++) {
    const seconds = recording.seconds(row);
    if (!(seconds >= from && seconds <= to)) continue;
    rows.push(row);
    for (const { column, numbers } of found) numbers.add(seconds, recording.value(column, row));
  }
  const chosen = spread(rows, question.samples);
  const missing = names.filter((name) => !columns.has(name));
  return {
    rows: rows.length,
    times: chosen.map((row) => plain(recording.seconds(row))),
    series: Object.fromEntries(
      found.map(({ column, numbers }) => [
        column.name,
        {
          units: column.units,
          ...numbers.statistics,
          values: chosen.map((row) => plain(recording.value(column, row))),
        },
      ]),
    ),
    ...(missing.length > 0 && {
      missing: Object.fromEntries(missing.map((name) => [name, sentenceOf(name, columns)])),
    }),
  };
}

const sentenceOf = (name: string, columns: ReadonlyMap<string, Column>): string =>
  `the recording has no variable ${name}${didYouMean(nearestNames(name, columns.keys()))}`;

/** So many of them, from the first to the last. */
function spread(rows: readonly number[], most: number): readonly number[] {
  if (rows.length <= most) return rows;
  return Array.from({ length: most }, (_, k) => rows[Math.round((k * (rows.length - 1)) / (most - 1))] as number);
}

/** Statistics of numbers; NaN is no number. */
class Numbers {
  private count = 0;
  private sum = 0;
  private least = { value: Number.POSITIVE_INFINITY, seconds: Number.NaN };
  private greatest = { value: Number.NEGATIVE_INFINITY, seconds: Number.NaN };

  add(seconds: number, given: LeafValue): void {
    const value = typeof given === 'string' ? Number.NaN : Number(given);
    if (Number.isNaN(value)) return;
    this.count++;
    this.sum += value;
    if (value < this.least.value) this.least = { value, seconds };
    if (value > this.greatest.value) this.greatest = { value, seconds };
  }

  get statistics(): object {
    if (this.count === 0) return {};
    const { least, greatest } = this;
    return {
      least: plain(least.value),
      least_sec: plain(least.seconds),
      greatest: plain(greatest.value),
      greatest_sec: plain(greatest.seconds),
      mean: plain(this.sum / this.count),
    };
  }
}

function compared(one: Recording, other: Recording, question: Extract<RunQuestion, { kind: 'compare' }>): object {
  const { tolerance: absolute, relative } = question;
  const { rows, alone, variables, differences, unlike } = compare(one, other, { absolute, relative });
  const byTime = [...differences].sort((a, b) => a.first.seconds - b.first.seconds);
  return {
    rows_compared: rows,
    rows_only_in_one: alone[0],
    rows_only_in_other: alone[1],
    variables_compared: variables,
    variables_that_differ: differences.length,
    // Those that differ first come first.
    differences: pageOf(byTime, question).map(plainDifference),
    more: hasMore(byTime, question),
    not_compared: unlike.slice(0, MOST_SENTENCES),
    not_compared_total: unlike.length,
  };
}

const plainDifference = ({ name, rows, first, largest }: Difference) => ({
  name,
  rows,
  first: plainPlace(first),
  largest: plainPlace(largest),
});

const plainPlace = ({ seconds, values: [one, other], by }: ValuePair) => ({
  seconds: plain(seconds),
  one: plain(one),
  other: plain(other),
  by: plain(by),
});

/** Numbers that JSON lacks are texts. */
function plain(value: LeafValue): unknown {
  if (typeof value === 'number') return Number.isFinite(value) ? value : `${value}`;
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : `${value}`;
  return value;
}
