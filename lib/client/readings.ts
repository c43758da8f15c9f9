// Replies as values, or as the errors that say why there are none.
import type { Field } from './ascii-decoder.js';
import type { Decoded } from './binary-decoder.js';
import { BadReferenceError, ValueTooLargeError } from './errors.js';
import type { Measured, TrickValue } from './value.js';

/** @throws BadReferenceError, ValueTooLargeError */
export function known(names: readonly string[], decoded: ReadonlyMap<string, Decoded>): Decoded[] {
  const bad = names.filter((name) => decoded.has(name) && decoded.get(name)?.value === undefined);
  if (bad.length > 0) throw new BadReferenceError(bad);
  const leftOut = names.filter((name) => !decoded.has(name));
  if (leftOut.length > 0) throw new ValueTooLargeError(leftOut);
  return names.map((name) => decoded.get(name) as Decoded);
}

/** @throws BadReferenceError, ValueTooLargeError */
export function measured(names: readonly string[], fields: readonly Field[]): Measured[] {
  const cut = names.filter((_, index) => fields[index]?.isCut);
  if (cut.length > 0) throw new ValueTooLargeError(cut);
  const bad = names.filter((_, index) => fields[index]?.value === undefined);
  if (bad.length > 0) throw new BadReferenceError(bad);
  return fields.map(({ value, units }) => ({ value: value as TrickValue, units }));
}
