// Whether a server took a value: Trick does not report it, so the variable is read before and after.
import { isWhole, leaves } from './set-command.js';
import type { TrickType } from './trick-type.js';
import type { SettableValue, TrickValue } from './value.js';

/** What the variable held before and after it was set, in the units of the value. */
export interface Seen {
  readonly before: TrickValue | undefined;
  readonly after: TrickValue | undefined;
  /** Whether the server converts the value from units that are asked for. */
  readonly isConverted: boolean;
}

/** Allowed difference of a converted value, because it comes as text of few digits. */
const RELATIVE_ERROR = 1e-6;

/**
 * Whether the variable shows the value, or has changed: a simulation that runs may have changed it once more.
 * A bit field that shows another value has lost the value's upper bits, and a whole number that shows less than a value in
 * other units has lost its fraction.
 */
export function isTaken(
  asked: SettableValue,
  { before, after, isConverted }: Seen,
  type: TrickType | undefined,
): boolean {
  const wanted = leaves(asked);
  const held = flat(after);
  if (wanted.every((leaf, index) => isLike(held[index], leaf, type))) return true;
  if (isConverted && type && isWhole(type) && wanted.some((leaf, index) => isLess(held[index], leaf))) return false;
  const isSame = same(flat(before), held);
  return !isSame && !type?.name.includes('bit field');
}

const flat = (value: TrickValue | undefined): readonly TrickValue[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

const same = (left: readonly TrickValue[], right: readonly TrickValue[]): boolean =>
  left.length === right.length && left.every((value, index) => Object.is(value, right[index]));

function isLike(held: TrickValue | undefined, asked: SettableValue, type: TrickType | undefined): boolean {
  // A label, or text of characters, is shown as numbers and the other way round; truth is shown as 0 and 1.
  if (typeof asked === 'string' && typeof held !== 'string') return true;
  if (typeof held === 'string' && typeof asked !== 'string') return true;
  if (typeof held === 'string') return held === asked || type?.kind === 'character';
  const [number, wanted] = [Number(held), Number(asked)];
  if (Number.isNaN(number) || Number.isNaN(wanted)) return Number.isNaN(number) && Number.isNaN(wanted);
  if (typeof held === 'bigint' && typeof asked === 'bigint') return held === asked;
  if (typeof held === 'boolean') return held === (wanted !== 0);
  return Math.abs(number - wanted) <= RELATIVE_ERROR * Math.abs(wanted);
}

/** Whether a whole number is what another one with a fraction has become. */
function isLess(held: TrickValue | undefined, asked: SettableValue): boolean {
  if (typeof asked !== 'number' || held === undefined) return false;
  const [number, wanted] = [Number(held), Number(asked)];
  return Math.abs(number) < Math.abs(wanted) && number * wanted >= 0;
}
