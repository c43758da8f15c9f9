// What is in a recording: its variables, how far its times reach, how far apart rows are, and where some are missing.
import { cNameOf } from '../../model/state/type.js';
import type { Recording } from './recording.js';
import { TimeCounter, type TimeFigures } from './time-figures.js';

export interface Survey extends TimeFigures {
  readonly variables: readonly { readonly name: string; readonly units: string; readonly type: string }[];
  /** Undefined without rows. */
  readonly firstSeconds: number | undefined;
  readonly lastSeconds: number | undefined;
}

export function survey(recording: Recording): Survey {
  const { rows } = recording;
  const [firstSeconds, lastSeconds] = rows === 0 ? [] : [recording.seconds(0), recording.seconds(rows - 1)];
  const variables = recording.columns.map(({ name, units, type }) => ({ name, units, type: cNameOf(type) }));
  return { variables, firstSeconds, lastSeconds, ...figuresOf(recording) };
}

/** Without reading the rows where their times are known. */
function figuresOf(recording: Recording): TimeFigures {
  const { rows, timeFigures } = recording;
  if (timeFigures?.rows === rows) return timeFigures;
  const times = recording.quickTimes();
  const quick = times && counted(times);
  // The rows themselves tell what is odd in them.
  return quick && quick.equalTimes + quick.earlierTimes === 0 ? quick : counted(recording.times());
}

function counted(pieces: Iterable<Float64Array>): TimeFigures {
  const counter = new TimeCounter();
  for (const piece of pieces) for (const seconds of piece) counter.take(seconds);
  return counter.figures;
}
