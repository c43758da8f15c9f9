// `text % values`: formatting as C's printf does it.
import { ScriptError } from './error.js';
import { formatValue } from './format-spec.js';
import { toReal } from './number-of.js';
import { grown } from './operators.js';
import { item } from './subscript.js';
import { asciiOnly, repr } from './text.js';
import { textOf } from './text-of.js';
import { typeName } from './type-name.js';
import { arithmetic, DictionaryValue, plain, type Run, type ScriptValue, type Tools, TupleValue } from './values.js';

const DIRECTIVE = /%(?:\(([^()]*)\))?([-+ #0]*)(\d*)(?:\.(\d*))?[hlL]?([\s\S]?)/g;

/** Characters that are looked at one by one in the time of one step. */
const READ_PER_STEP = 8;

interface Directive {
  readonly flags: string;
  readonly width: string;
  readonly precision: string | undefined;
  readonly type: string;
}

export function* percentFormat(template: string, values: ScriptValue, tools: Tools): Run<string> {
  const next = valuesInOrder(values, tools);
  tools.meter.spend(template.length / READ_PER_STEP);
  let text = '';
  let end = 0;
  for (const match of template.matchAll(DIRECTIVE)) {
    if (tools.meter.isTurnOver) yield 'turn';
    const [whole, key, flags = '', width = '', precision, type = ''] = match;
    text = grown(text, template.slice(end, match.index), tools.meter);
    end = match.index + whole.length;
    if (type === '') throw new ScriptError('ValueError', 'incomplete format');
    const directive = { flags, width, precision, type };
    const shown = type === '%' ? '%' : yield* written(next.take(key), directive, end - 1, tools);
    text = grown(text, shown, tools.meter);
  }
  next.finish();
  return grown(text, template.slice(end), tools.meter);
}

/** Hands out the values one after another, or by their keys. */
function valuesInOrder(values: ScriptValue, { meter }: Tools) {
  const list = values instanceof TupleValue ? values.items : [values];
  const isMapping = values instanceof DictionaryValue;
  let taken = 0;
  return {
    take(key: string | undefined): ScriptValue {
      if (key !== undefined) {
        if (!isMapping) throw new ScriptError('TypeError', 'format requires a mapping');
        taken = list.length;
        return item(values, key, meter);
      }
      if (taken >= list.length) throw new ScriptError('TypeError', 'not enough arguments for format string');
      return list[taken++] as ScriptValue;
    },
    finish(): void {
      if (taken < list.length && !isMapping)
        throw new ScriptError('TypeError', 'not all arguments converted during string formatting');
    },
  };
}

function* written(value: ScriptValue, directive: Directive, at: number, tools: Tools): Run<string> {
  const { type } = directive;
  if (type === 's' || type === 'r' || type === 'a') {
    const text = yield* type === 's' ? textOf(value, tools) : repr(value, tools.meter);
    return padded(type === 'a' ? asciiOnly(text) : text, directive, tools);
  }
  if (type === 'c') return padded(characterOf(value), { ...directive, precision: undefined }, tools);
  if (/[diuxXo]/.test(type)) return formatValue(integerOf(value, type), specOf(directive), tools.meter);
  if (/[eEfFgG]/.test(type)) return formatValue(realOf(value), specOf(directive), tools.meter);
  const code = (type.codePointAt(0) ?? 0).toString(16);
  throw new ScriptError('ValueError', `unsupported format character '${type}' (0x${code}) at index ${at}`);
}

/** The same directive in the language of format(): `%-8.3f` is `<8.3f`. */
function specOf({ flags, width, precision, type }: Directive): string {
  const isInteger = /[diuxXo]/.test(type);
  const sign = flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  const zero = flags.includes('0') && !flags.includes('-') ? '0' : '';
  const align = flags.includes('-') ? '<' : '';
  const places = precision === undefined || isInteger ? '' : `.${precision || '0'}`;
  const code = type === 'i' || type === 'u' ? 'd' : type;
  return `${align}${sign}${flags.includes('#') ? '#' : ''}${zero}${width}${places}${code}`;
}

function padded(text: string, { flags, width, precision }: Directive, { meter }: Tools): string {
  const cut = precision === undefined ? '' : `.${precision || '0'}`;
  return formatValue(text, `${flags.includes('-') ? '<' : '>'}${width}${cut}s`, meter);
}

function integerOf(value: ScriptValue, type: string): bigint {
  const number = arithmetic(plain(value));
  if (typeof number === 'bigint') return number;
  if (typeof number === 'number' && Number.isFinite(number) && !/[xXo]/.test(type)) return BigInt(Math.trunc(number));
  const what = /[xXo]/.test(type) ? 'an integer' : 'a real number';
  throw new ScriptError('TypeError', `%${type} format: ${what} is required, not ${typeName(value)}`);
}

function realOf(value: ScriptValue): number {
  if (arithmetic(plain(value)) === undefined)
    throw new ScriptError('TypeError', `must be real number, not ${typeName(value)}`);
  return toReal(value);
}

function characterOf(value: ScriptValue): string {
  const code = arithmetic(plain(value));
  if (typeof code === 'bigint' && code >= 0n && code <= 0x10ffffn) return String.fromCodePoint(Number(code));
  if (typeof value === 'string' && [...value.slice(0, 3)].length === 1) return value;
  throw new ScriptError('TypeError', '%c requires int or char');
}
