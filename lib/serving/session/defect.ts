// Errors that nobody expects and nobody waits for: defects of this program, of which the log tells.
import { thrownStack, thrownText } from '../../model/state/thrown.js';
import type { Clock } from '../scheduling/clock.js';
import type { Log } from './log.js';
import { SparseLog } from './sparse-log.js';

export const defectText = (error: unknown): string =>
  `internal error, please report it: ${thrownStack(error) || thrownText(error)}`;

/** Logs defects, one line a second at most. */
export function defectLog(log: Log, clock: Clock): (error: unknown) => void {
  const sparse = new SparseLog(clock, log);
  return (error) => sparse.say('error', defectText(error));
}
