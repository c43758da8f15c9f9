// Unpacks the items of a value for several targets: `a, b = value`.
import { ScriptError } from './error.js';
import { typeName } from './type-name.js';
import { ListValue, type ScriptValue, TupleValue } from './values.js';

/** The items, which must be as many as the targets. Throws in Python's words. */
export function unpacked(
  value: ScriptValue,
  count: number,
  iterate: (value: ScriptValue) => Iterable<ScriptValue>,
): readonly ScriptValue[] {
  const isList = value instanceof ListValue || value instanceof TupleValue;
  if (
    !isList &&
    (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
  ) {
    throw new ScriptError('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
  }
  const items = isList ? value.items : firstItems(iterate(value), count + 1);
  if (items.length < count)
    throw new ScriptError('ValueError', `not enough values to unpack (expected ${count}, got ${items.length})`);
  if (items.length > count) throw new ScriptError('ValueError', `too many values to unpack (expected ${count})`);
  return items;
}

function firstItems(items: Iterable<ScriptValue>, most: number): ScriptValue[] {
  const first: ScriptValue[] = [];
  for (const item of items) if (first.push(item) >= most) break;
  return first;
}
