// str() and repr() of the command language's values, as Python prints them.
import { ScriptError } from './error.js';
import { GrowingText } from './growing-text.js';
import { integerText } from './integer-text.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';
import {
  Bytes,
  type Callable,
  ClassValue,
  DefinedFunction,
  DictionaryValue,
  ExceptionValue,
  HostVariable,
  isCallable,
  isModule,
  isObject,
  ListValue,
  Quantity,
  RangeValue,
  type Run,
  type ScriptValue,
  TupleValue,
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

/** Gives way now and then while it writes a value that holds many others. */
export function* str(value: ScriptValue, meter: Meter): Run<string> {
  if (value instanceof ExceptionValue) return value.error.message;
  return typeof value === 'string' ? value : yield* repr(value, meter);
}

/** Gives way now and then while it writes a value that holds many others. */
export function* repr(value: ScriptValue, meter: Meter): Run<string> {
  const text = yield* new Writer(meter).write(value);
  meter.allocate(text.length);
  return text;
}

/** The repr of a value that is known to hold few others, such as a key. */
export function reprOfKey(value: ScriptValue, meter: Meter): string {
  const run = repr(value, meter);
  for (;;) {
    const step = run.next();
    if (step.done) return step.value;
  }
}

/** The error for a key that does not exist. */
export function keyError(key: ScriptValue, meter: Meter): ScriptError {
  const error = new ScriptError('KeyError', reprOfKey(key, meter));
  error.value = new ExceptionValue(error, new TupleValue([key]));
  return error;
}

/** Lists may lie in lists this deep. */
export const DEEPEST = 100;

export const tooDeep = (): ScriptError =>
  new ScriptError('RecursionError', `values may lie ${DEEPEST} deep in each other`);

/** Writes one value. It remembers the lists that it is inside of, so that a list that contains itself ends. */
class Writer {
  private readonly open: ScriptValue[] = [];

  constructor(private readonly meter: Meter) {}

  *write(value: ScriptValue): Run<string> {
    return this.leaf(value) ?? (yield* this.holder(value));
  }

  /** The text of a value that contains no others; undefined for one that does. */
  private leaf(value: ScriptValue): string | undefined {
    this.meter.spend(1);
    if (value === null) return 'None';
    switch (typeof value) {
      case 'boolean':
        return value ? 'True' : 'False';
      case 'bigint':
        return integerText(value, 10, this.meter);
      case 'number':
        return floatText(value);
      case 'string':
        return this.quote(value);
      default:
        return this.object(value);
    }
  }

  private *holder(value: ScriptValue): Run<string> {
    if (value instanceof ListValue) return yield* this.inside(value, '[...]', () => this.list(value.items));
    if (value instanceof TupleValue) return yield* this.inside(value, '(...)', () => this.tuple(value.items));
    if (value instanceof DictionaryValue) return yield* this.inside(value, '{...}', () => this.dictionary(value));
    const { typeName, args } = value as ExceptionValue;
    const given = yield* this.inside(args, '...', () => this.join(args.items));
    return `${typeName}(${given})`;
  }

  private object(value: Exclude<ScriptValue, null | boolean | bigint | number | string>): string | undefined {
    if (value instanceof RangeValue) return rangeText(value, this.meter);
    if (value instanceof Bytes) return `b${this.quote(value.text)}`;
    if (value instanceof Quantity) return quantityText(value, this.meter);
    if (value instanceof ClassValue) return `<class '${value.name}'>`;
    if (value instanceof ExceptionValue) return undefined;
    if (value instanceof HostVariable) return `<variable ${value.path}>`;
    if (isObject(value)) return value.text ?? `<${value.typeName}>`;
    if (isModule(value)) return `<module '${value.name}'>`;
    return isCallable(value) || value instanceof DefinedFunction ? functionText(value) : undefined;
  }

  private *inside(value: ScriptValue, again: string, write: () => Run<string>): Run<string> {
    if (this.open.includes(value)) return again;
    if (this.open.length >= DEEPEST) throw tooDeep();
    this.open.push(value);
    const text = yield* write();
    this.open.pop();
    return text;
  }

  /** The block pays while the text grows, because a list may hold the same long list many times. */
  private *join(items: readonly ScriptValue[]): Run<string> {
    const text = new GrowingText();
    for (let index = 0; index < items.length; index++) {
      if (this.meter.isTurnOver) yield 'turn';
      const item = items[index] as ScriptValue;
      const written = this.leaf(item) ?? (yield* this.holder(item));
      this.meter.allocate(written.length);
      if (index > 0) text.add(', ');
      text.add(written);
    }
    return text.toString();
  }

  private *list(items: readonly ScriptValue[]): Run<string> {
    return `[${yield* this.join(items)}]`;
  }

  private *tuple(items: readonly ScriptValue[]): Run<string> {
    return items.length === 1 ? `(${yield* this.write(items[0] as ScriptValue)},)` : `(${yield* this.join(items)})`;
  }

  private *dictionary({ entries }: DictionaryValue): Run<string> {
    const text = new GrowingText();
    let comma = '';
    for (const { key, value } of entries.values()) {
      if (this.meter.isTurnOver) yield 'turn';
      const part = `${comma}${yield* this.write(key)}: ${yield* this.write(value)}`;
      comma = ', ';
      this.meter.allocate(part.length);
      text.add(part);
    }
    return `{${text}}`;
  }

  private quote(text: string): string {
    this.meter.allocate(text.length);
    if (!MAY_NEED_ESCAPES.test(text)) return `'${text}'`;
    this.meter.spend(text.length / ESCAPED_PER_STEP);
    return quote(text);
  }
}

/** A number as its host shows it, and its units. */
export function quantityText({ magnitude, units, hasUnits, form }: Quantity, meter: Meter): string {
  const digits = typeof magnitude === 'number' ? form.text(magnitude) : integerText(BigInt(magnitude), 10, meter);
  return hasUnits ? `${digits} ${units}` : digits;
}

/** Characters that are looked at one by one in the time of one step. */
const ESCAPED_PER_STEP = CHARACTERS_PER_STEP / 16;
const MAY_NEED_ESCAPES = /[^ -&(-[\]-~]/;

const functionText = (value: Callable | DefinedFunction): string =>
  `<function ${value instanceof DefinedFunction ? value.definition.name : value.name}>`;

function rangeText({ start, stop, step }: RangeValue, meter: Meter): string {
  const bounds = step === 1n ? [start, stop] : [start, stop, step];
  return `range(${bounds.map((bound) => integerText(bound, 10, meter)).join(', ')})`;
}

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
