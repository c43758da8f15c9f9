// Refuses options that do not exist, for programs that no compiler has checked.
import { didYouMean, nearestNames } from './suggest.js';

/** The unit at the end of a name, or a word in its place: `frame`, `frameTime` and `frameMs` all mean `frameSeconds`. */
const UNIT = /(Seconds|Secs?|Millis|Ms|Bytes|Time|_sec|_ms)$/;

const withoutUnit = (name: string): string => name.replace(UNIT, '');

/**
 * Throws a RangeError that names an option that does not exist, and the nearest one that does.
 * @param what whose options they are, for the sentence: `event ball.bounced`.
 */
export function requireOptions(what: string, options: object, names: readonly string[]): void {
  const stray = Object.keys(options).find((name) => !names.includes(name));
  if (stray === undefined) return;
  const meant = names.filter((name) => withoutUnit(name) === withoutUnit(stray));
  const hint = didYouMean(meant.length > 0 ? meant : nearestNames(stray, names));
  throw new RangeError(`${what} has no option ${stray}${hint || `; there are ${names.join(', ')}`}`);
}
