// Converts the language's values to the model's, and back.
import type { Value } from '../../model/read.js';
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';
import { DEEPEST, tooDeep } from './text.js';
import { Bytes, itemsOf, ListValue, Quantity, type Run, type ScriptValue, typeName } from './values.js';

/** A value to store or to hand to a simulation's function, with its units if it has any. */
export function* toModel(
  value: ScriptValue,
  meter: Meter,
): Run<{ readonly value: Value; readonly units: string | undefined }> {
  const units = value instanceof Quantity ? value.units : undefined;
  return { value: yield* bare(value, meter, 0), units };
}

function* bare(value: ScriptValue, meter: Meter, depth: number): Run<Value> {
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST) throw tooDeep();
  const items = itemsOf(value);
  if (items) {
    meter.allocate(16 * items.length);
    const values: Value[] = [];
    for (const item of items) {
      if (meter.isTurnOver) yield 'turn';
      values.push(item === null || typeof item !== 'object' ? item : yield* bare(item, meter, depth + 1));
    }
    return values;
  }
  if (value instanceof Quantity) return yield* bare(value.magnitude, meter, depth + 1);
  if (value instanceof Bytes) return value.text;
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

/** What a simulation's function returned: whole numbers come back as int. */
export const fromResult = (value: Value | undefined): ScriptValue =>
  fromModel(value, typeof value === 'number' && Number.isInteger(value));
