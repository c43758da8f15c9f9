// Texts as characters by number, as C's char arrays hold them.
import { isCharacters } from '../../../model/state/type.js';
import type { Variable } from '../../../model/state/variable.js';
import { arithmetic, itemsOf, ListValue, plain, ScriptError, type ScriptValue, typeName } from '../../python/index.js';

const MOST_CODE = 127;

/** A character for a number of one byte, and numbers for a text or each text of an array; other values stay as they are. */
export function asCharacters({ path, type }: Pick<Variable, 'path' | 'type'>, value: ScriptValue): ScriptValue {
  if (type.kind === 'number' && IS_CHARACTER.test(type.name) && typeof value === 'string' && value.length === 1)
    return BigInt(value.charCodeAt(0));
  const items = itemsOf(value);
  if (!items) return value;
  if (type.kind === 'array' && (isCharacters(type.element) || type.element.kind === 'text'))
    return new ListValue(
      items.map((item, index) => asCharacters({ path: `${path}[${index}]`, type: type.element }, item)),
    );
  if (!isCharacters(type) && type.kind !== 'text') return value;
  const codes = items.map((item) => codeOf(path, item));
  const end = codes.indexOf(0);
  const text = String.fromCharCode(...(end < 0 ? codes : codes.slice(0, end)));
  if (end >= 0 && codes.slice(end).some((code) => code !== 0))
    throw new ScriptError('TypeError', `${path} holds a text, which ends at the first 0 of a list`);
  return text;
}

const IS_CHARACTER = /char/;

/** The text with another byte; 0 ends it. */
export function withByte(path: string, text: string, index: number, value: ScriptValue): string {
  const code = typeof value === 'string' && value.length === 1 ? value.charCodeAt(0) : codeOf(path, value);
  const bytes = Buffer.from(text);
  if (index >= bytes.length || (bytes[index] as number) > MOST_CODE)
    throw new ScriptError('IndexError', `${path} is no character of a text of ${bytes.length} bytes`);
  if (code === 0) return bytes.toString('utf8', 0, index);
  bytes[index] = code;
  return bytes.toString();
}

function codeOf(path: string, value: ScriptValue): number {
  const number = arithmetic(plain(value));
  const code = Math.trunc(Number(number));
  if (number !== undefined && code >= 0 && code <= MOST_CODE) return code;
  const shown = number === undefined ? typeName(value) : number;
  throw new ScriptError('TypeError', `${path} takes the numbers of characters from 0 to ${MOST_CODE}, not ${shown}`);
}
