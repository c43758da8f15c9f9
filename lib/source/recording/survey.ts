// What is in a recording: its variables, how far its times reach, how far apart rows are, and where some are missing.
import { cNameOf } from '../../model/state/type.js';
import type { Recording } from './recording.js';

export interface Gap {
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export interface Survey {
  readonly variables: readonly { readonly name: string; readonly units: string; readonly type: string }[];
  readonly rows: number;
  /** Undefined without rows. */
  readonly firstSeconds: number | undefined;
  readonly lastSeconds: number | undefined;
  /** Between most rows; undefined when no time goes on. */
  readonly stepSeconds: number | undefined;
  /** Number of stretches without rows, of more than one and a half steps, and the first of them. */
  readonly gaps: number;
  readonly firstGaps: readonly Gap[];
  /** Rows whose time is that of the one before, is earlier, or is no number. */
  readonly equalTimes: number;
  readonly earlierTimes: number;
  readonly noTimes: number;
}

/** Rows by which the usual step is known. */
const STEPS = 2000;
const MOST_GAPS = 10;

export function survey(recording: Recording): Survey {
  const { time, rows } = recording;
  const stepSeconds = usualStep(recording.values(time, 0, Math.min(rows, STEPS)).map(Number));
  const firstGaps: Gap[] = [];
  let [gaps, equalTimes, earlierTimes, noTimes, before] = [0, 0, 0, 0, Number.NaN];
  for (let row = 0; row < rows; row++) {
    const seconds = recording.seconds(row);
    if (!Number.isFinite(seconds)) noTimes++;
    else if (seconds === before) equalTimes++;
    else if (seconds < before) earlierTimes++;
    else if (stepSeconds !== undefined && seconds - before > 1.5 * stepSeconds) {
      gaps++;
      if (gaps <= MOST_GAPS) firstGaps.push({ fromSeconds: before, toSeconds: seconds });
    }
    if (Number.isFinite(seconds)) before = seconds;
  }
  const [firstSeconds, lastSeconds] = rows === 0 ? [] : [recording.seconds(0), recording.seconds(rows - 1)];
  const variables = recording.columns.map(({ name, units, type }) => ({ name, units, type: cNameOf(type) }));
  return {
    variables,
    rows,
    firstSeconds,
    lastSeconds,
    stepSeconds,
    gaps,
    firstGaps,
    equalTimes,
    earlierTimes,
    noTimes,
  };
}

/** The median of the steps that go on, without the errors of sums such as 0.1 + 0.2. */
export function usualStep(times: readonly number[]): number | undefined {
  const steps = times.map((seconds, row) => seconds - (times[row - 1] ?? seconds)).filter((step) => step > 0);
  const median = steps.sort((one, other) => one - other)[Math.floor(steps.length / 2)];
  return median === undefined ? undefined : Number(median.toPrecision(9));
}
