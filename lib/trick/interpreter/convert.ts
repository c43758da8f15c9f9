// Between the language's values and the model's.
import type { Value as ModelValue } from '../../model/read.js';
import { ScriptError } from './error.js';
import { Bytes, ListValue, Quantity, TupleValue, typeName, type Value, VariableProxy } from './values.js';

/** A value to store or to hand to a simulation's function, with its units if it has any. */
export function toModel(value: Value): { readonly value: ModelValue; readonly units: string | undefined } {
  if (value instanceof Quantity) return { value: plainModel(value.magnitude), units: value.units };
  return { value: plainModel(value), units: undefined };
}

function plainModel(value: Value): ModelValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof ListValue || value instanceof TupleValue) return value.items.map((item) => toModel(item).value);
  if (value instanceof Quantity) return plainModel(value.magnitude);
  if (value instanceof Bytes) return value.text;
  if (value instanceof VariableProxy) return value.path;
  throw new ScriptError('TypeError', `a ${typeName(value)} is no value that a variable can hold`);
}

/** A model value as the language sees it: integers of any size are int, floats float. */
export function fromModel(value: ModelValue | undefined, isInteger: boolean): Value {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return isInteger ? BigInt(value) : value;
  if (Array.isArray(value)) return new ListValue(value.map((item: ModelValue) => fromModel(item, isInteger)));
  if (typeof value === 'object') return null;
  return value as bigint | boolean | string;
}

/** What a simulation's function returned: whole numbers come back as int. */
export const fromResult = (value: ModelValue | undefined): Value =>
  fromModel(value, typeof value === 'number' && Number.isInteger(value));
