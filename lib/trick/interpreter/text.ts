// str() and repr() of the command language's values, as Python prints them.
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';
import {
  Bytes,
  type Callable,
  DefinedFunction,
  DictionaryValue,
  isModule,
  isObject,
  ListValue,
  Quantity,
  RangeValue,
  type ScriptValue,
  TupleValue,
  VariableProxy,
} from './values.js';

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

export function str(value: ScriptValue, meter: Meter): string {
  return typeof value === 'string' ? value : repr(value, meter);
}

export function repr(value: ScriptValue, meter: Meter): string {
  const text = new Writer(meter).write(value);
  meter.allocate(text.length);
  return text;
}

/** Lists may lie in lists this deep. */
export const DEEPEST = 100;

export const tooDeep = (): ScriptError =>
  new ScriptError('RecursionError', `values may lie ${DEEPEST} deep in each other`);

/** Writes one value, and remembers which lists it is inside of, so that a list that holds itself ends. */
class Writer {
  private readonly open: ScriptValue[] = [];

  constructor(private readonly meter: Meter) {}

  write(value: ScriptValue): string {
    this.meter.spend(1);
    if (value === null) return 'None';
    switch (typeof value) {
      case 'boolean':
        return value ? 'True' : 'False';
      case 'bigint':
        return value.toString();
      case 'number':
        return floatText(value);
      case 'string':
        return this.quote(value);
      default:
        return this.writeObject(value);
    }
  }

  private writeObject(value: Exclude<ScriptValue, null | boolean | bigint | number | string>): string {
    if (value instanceof ListValue) return this.inside(value, '[...]', () => `[${this.join(value.items)}]`);
    if (value instanceof TupleValue) return this.inside(value, '(...)', () => this.tuple(value.items));
    if (value instanceof DictionaryValue) return this.inside(value, '{...}', () => this.dictionary(value));
    if (value instanceof RangeValue) return rangeText(value);
    if (value instanceof Bytes) return `b${this.quote(value.text)}`;
    if (value instanceof Quantity) return `${this.write(value.magnitude)} ${value.units}`;
    if (value instanceof VariableProxy) return `<variable ${value.path}>`;
    if (isObject(value)) return `<${value.typeName}>`;
    return isModule(value) ? `<module '${value.name}'>` : functionText(value);
  }

  private inside(value: ScriptValue, again: string, write: () => string): string {
    if (this.open.includes(value)) return again;
    if (this.open.length >= DEEPEST) throw tooDeep();
    this.open.push(value);
    const text = write();
    this.open.pop();
    return text;
  }

  /** The block pays while the text grows, because a list may hold the same long list many times. */
  private join(items: readonly ScriptValue[]): string {
    let text = '';
    for (const [index, item] of items.entries()) {
      const written = this.write(item);
      this.meter.allocate(written.length);
      text += index === 0 ? written : `, ${written}`;
    }
    return text;
  }

  private tuple(items: readonly ScriptValue[]): string {
    return items.length === 1 ? `(${this.write(items[0] as ScriptValue)},)` : `(${this.join(items)})`;
  }

  private dictionary({ entries }: DictionaryValue): string {
    const parts = [...entries.values()].map(({ key, value }) => `${this.write(key)}: ${this.write(value)}`);
    for (const part of parts) this.meter.allocate(part.length);
    return `{${parts.join(', ')}}`;
  }

  private quote(text: string): string {
    this.meter.allocate(text.length);
    return quote(text);
  }
}

const functionText = (value: Callable | DefinedFunction): string =>
  `<function ${value instanceof DefinedFunction ? value.definition.name : value.name}>`;

const rangeText = ({ start, stop, step }: RangeValue): string =>
  step === 1n ? `range(${start}, ${stop})` : `range(${start}, ${stop}, ${step})`;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Single quotes, unless the text has a single quote and no double quote. */
function quote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  let quoted = '';
  for (const character of text) {
    const code = character.codePointAt(0) as number;
    if (character === mark) quoted += `\\${character}`;
    else if (ESCAPES[character]) quoted += ESCAPES[character];
    else if (code < 32 || (code >= 127 && code < 161) || code === 0xad)
      quoted += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (code >= 0xd800 && code < 0xe000) quoted += `\\u${code.toString(16)}`;
    else quoted += character;
  }
  return mark + quoted + mark;
}

/** The text as the conversion `!a` writes it: ASCII only. */
export const asciiOnly = (text: string): string =>
  text.replace(/[^\0-\x7f]/gu, (character) => {
    const code = character.codePointAt(0) as number;
    if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
    return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\U${code.toString(16).padStart(8, '0')}`;
  });
