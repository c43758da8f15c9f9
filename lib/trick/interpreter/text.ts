// str() and repr() of the command language's values, as Python prints them.
import {
  Bytes,
  DictionaryValue,
  ListValue,
  Quantity,
  RangeValue,
  TupleValue,
  type Value,
  VariableProxy,
} from './values.js';
import { isModule } from './values.js';

/** The shortest text that reads back as the same float: `1.0`, `1e-07`, `1e+16`. */
export function floatText(x: number): string {
  if (Number.isNaN(x)) return 'nan';
  if (!Number.isFinite(x)) return x > 0 ? 'inf' : '-inf';
  if (Object.is(x, -0)) return '-0.0';
  const magnitude = Math.abs(x);
  if (magnitude !== 0 && (magnitude < 1e-4 || magnitude >= 1e16)) return exponentText(x);
  const text = String(x);
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function exponentText(x: number): string {
  const [mantissa = '', exponent = ''] = x.toExponential().split('e');
  return `${mantissa}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}

export function str(value: Value): string {
  if (typeof value === 'string') return value;
  if (value instanceof Quantity) return `${str(value.magnitude)} ${value.units}`;
  return repr(value);
}

export function repr(value: Value): string {
  if (value === null) return 'None';
  switch (typeof value) {
    case 'boolean':
      return value ? 'True' : 'False';
    case 'bigint':
      return value.toString();
    case 'number':
      return floatText(value);
    case 'string':
      return quote(value);
    default:
      return objectText(value);
  }
}

function objectText(value: Exclude<Value, null | boolean | bigint | number | string>): string {
  if (value instanceof ListValue) return `[${value.items.map(repr).join(', ')}]`;
  if (value instanceof TupleValue) return tupleText(value.items);
  if (value instanceof DictionaryValue) {
    return `{${[...value.entries.values()].map(({ key, value: item }) => `${repr(key)}: ${repr(item)}`).join(', ')}}`;
  }
  if (value instanceof RangeValue) return rangeText(value);
  if (value instanceof Bytes) return `b${quote(value.text)}`;
  if (value instanceof Quantity) return str(value);
  if (value instanceof VariableProxy) return `<variable ${value.path}>`;
  return isModule(value) ? `<module '${value.name}'>` : '<function>';
}

const tupleText = (items: readonly Value[]): string =>
  items.length === 1 ? `(${repr(items[0] as Value)},)` : `(${items.map(repr).join(', ')})`;

const rangeText = ({ start, stop, step }: RangeValue): string =>
  step === 1n ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Single quotes unless the text has one and no double quote. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let quoted = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (character === mark) quoted += `\\${character}`;
    else if (ESCAPES[character]) quoted += ESCAPES[character];
    else if (code < 32 || code === 127) quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else quoted += character;
  }
  return mark + quoted + mark;
}
