// The text under which a dictionary files a key.
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import { typeName } from './type-name.js';
import { arithmetic, Bytes, plain, type ScriptValue, TupleValue } from './values.js';

/** The text under which a dictionary files a key: equal keys give equal text. Throws a TypeError for a value that cannot be a key. */
export function keyOf(key: ScriptValue, meter: Meter): string {
  return partOfKey(key, meter, { parts: 0 });
}

/** The most values in a tuple that is a key; a value that occurs several times counts each time. */
const MOST_PARTS = 10_000;

function partOfKey(key: ScriptValue, meter: Meter, count: { parts: number }): string {
  meter.spend(typeof key === 'string' ? 1 + key.length / CHARACTERS_PER_STEP : 1);
  if (++count.parts > MOST_PARTS)
    throw new ScriptError('RuntimeError', `a key is limited to ${MOST_PARTS} values in a tuple`);
  const value = plain(key);
  if (value === null) return 'None';
  if (typeof value === 'string') return `'${value}`;
  if (value instanceof Bytes) return `b${value.text}`;
  const number = arithmetic(value);
  if (number !== undefined)
    return typeof number === 'bigint' || Number.isInteger(number) ? `#${BigInt(number).toString(16)}` : `${number}`;
  if (!(value instanceof TupleValue)) throw new ScriptError('TypeError', `unhashable type: '${typeName(value)}'`);
  const parts = value.items.map((item) => partOfKey(item, meter, count));
  const text = parts.map((part) => `${part.length}:${part}`).join();
  meter.allocate(text.length);
  return `(${text})`;
}
