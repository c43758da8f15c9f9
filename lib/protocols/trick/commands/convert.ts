// Converts the language's values to the model's, and back.
import type { Value } from '../../../model/state/read.js';
import {
  Bytes,
  DEEPEST,
  inUnits,
  itemsOf,
  ListValue,
  type Meter,
  NO_UNITS,
  Quantity,
  type Run,
  ScriptError,
  type ScriptValue,
  tooDeep,
  typeName,
} from '../../python/index.js';

/**
 * A value to store or to hand to a simulation's function, with its units if it has any.
 * @param listUnits the units of the variable, to which each number of a list is converted. Without them the numbers of a
 * list must all have units, or none of them.
 */
export function* toModel(
  value: ScriptValue,
  meter: Meter,
  listUnits?: string,
): Run<{ readonly value: Value; readonly units: string | undefined }> {
  if (value instanceof Quantity) return { value: value.magnitude, units: value.hasUnits ? value.units : undefined };
  const found: FoundUnits = { units: listUnits, hasPlain: false };
  const stored = yield* bare(value, meter, 0, found);
  if (listUnits !== undefined || found.units === undefined) return { value: stored, units: undefined };
  if (found.hasPlain) throw new ScriptError('TypeError', 'the numbers of a list have units all of them, or none');
  return { value: stored, units: found.units };
}

const LARGE_INTEGER_BYTES = 512;

/** What is known about the numbers in a list. */
interface FoundUnits {
  /** The units of the first number that has some, unless other units are wanted. */
  units: string | undefined;
  /** Whether there is a number without units. */
  hasPlain: boolean;
}

function bareNumber(quantity: Quantity, found: FoundUnits): Value {
  found.hasPlain ||= !quantity.hasUnits;
  if (!quantity.hasUnits) return quantity.magnitude;
  found.units ??= quantity.units;
  return inUnits(quantity, found.units === '--' ? NO_UNITS : found.units);
}

function* bare(value: ScriptValue, meter: Meter, depth: number, found: FoundUnits): Run<Value> {
  if (typeof value === 'number' || typeof value === 'bigint') found.hasPlain = true;
  // A list may hold the same text many times; each time it is copied on its way to the simulation.
  if (typeof value === 'string') meter.allocate(value.length);
  if (typeof value === 'bigint' && BigInt.asIntN(64, value) !== value) meter.allocate(LARGE_INTEGER_BYTES);
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST) throw tooDeep();
  const items = itemsOf(value);
  if (items) {
    meter.allocate(16 * items.length);
    const values: Value[] = [];
    for (const item of items) {
      if (meter.isTurnOver) yield 'turn';
      values.push(yield* bare(item, meter, depth + 1, found));
    }
    return values;
  }
  if (value instanceof Quantity) return bareNumber(value, found);
  if (value instanceof Bytes) {
    meter.allocate(value.text.length);
    return value.text;
  }
  throw new ScriptError('TypeError', `a ${typeName(value)} is no value that a variable can hold`);
}

/** A model value as the language sees it: integers of any size are int, floats float. */
export function fromModel(value: Value | undefined, isInteger: boolean): ScriptValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return isInteger ? BigInt(value) : value;
  if (Array.isArray(value)) return new ListValue(value.map((item: Value) => fromModel(item, isInteger)));
  if (typeof value === 'object') return null;
  return value as bigint | boolean | string;
}

/** The result of a simulation's function; whole numbers become int. */
export const fromResult = (value: Value | undefined): ScriptValue =>
  fromModel(value, typeof value === 'number' && Number.isInteger(value));

/** Trick prints a double that is a whole number without its fraction. */
export const printedAsTrick = (value: number): ScriptValue => (Number.isSafeInteger(value) ? BigInt(value) : value);
