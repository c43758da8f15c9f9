// The functions that the language itself has: print, str, int, float, bool, len, range, abs, min, max, round, sum, list.
import { ScriptError } from './error.js';
import { compare, binary, lengthOf, negate } from './operators.js';
import { repr, str } from './text.js';
import {
  type Arguments,
  type Callable,
  isTrue,
  ListValue,
  Quantity,
  RangeValue,
  TupleValue,
  typeName,
  type Value,
  VariableProxy,
} from './values.js';

/** What the builtins need of the running block. */
export interface BuiltinSurroundings {
  write(text: string): void;
  /** The items of anything that can be gone through; throws a TypeError for what cannot. */
  items(value: Value): readonly Value[];
}

const plain = (value: Value): Value => (value instanceof Quantity ? value.magnitude : value);

function only(name: string, { positional, keywords }: Arguments, least: number, most: number): readonly Value[] {
  if (keywords[0]) throw new ScriptError('TypeError', `${name}() takes no keyword arguments`);
  if (positional.length < least || positional.length > most) {
    const expected = least === most ? `exactly ${least}` : `from ${least} to ${most}`;
    const noun = most === 1 ? 'argument' : 'arguments';
    throw new ScriptError('TypeError', `${name}() takes ${expected} ${noun} (${positional.length} given)`);
  }
  return positional;
}

const INTEGER = /^\s*[-+]?\d(?:_?\d)*\s*$/;
const FLOAT = /^\s*[-+]?(?:(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:e[-+]?\d+)?|inf(?:inity)?|nan)\s*$/i;
const MAX_DIGITS = 1000;

function toInteger(value: Value): Value {
  const given = plain(value);
  if (typeof given === 'bigint') return given;
  if (typeof given === 'boolean') return BigInt(given);
  if (typeof given === 'number') {
    if (!Number.isFinite(given)) throw new ScriptError('OverflowError', 'cannot convert float infinity or NaN to integer');
    return BigInt(Math.trunc(given));
  }
  if (typeof given !== 'string') throw argumentError('int', given);
  if (!INTEGER.test(given) || given.length > MAX_DIGITS) {
    throw new ScriptError('ValueError', `invalid literal for int() with base 10: ${repr(given.slice(0, 60))}`);
  }
  return BigInt(given.trim().replaceAll('_', ''));
}

const argumentError = (name: string, value: Value): ScriptError =>
  new ScriptError('TypeError', `${name}() argument must be a string or a real number, not '${typeName(value)}'`);

function toFloat(value: Value): Value {
  const given = plain(value);
  if (typeof given === 'number' || typeof given === 'bigint' || typeof given === 'boolean') return Number(given);
  if (typeof given !== 'string') throw argumentError('float', given);
  if (!FLOAT.test(given)) throw new ScriptError('ValueError', `could not convert string to float: ${repr(given.slice(0, 60))}`);
  const text = given.trim().toLowerCase().replaceAll('_', '');
  if (text.includes('nan')) return Number.NaN;
  if (text.includes('inf')) return text.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(text);
}

function makeRange(args: Arguments): Value {
  const bounds = only('range', args, 1, 3).map((value) => {
    const bound = plain(value);
    if (typeof bound === 'boolean') return BigInt(bound);
    if (typeof bound !== 'bigint') throw new ScriptError('TypeError', `'${typeName(bound)}' object cannot be interpreted as an integer`);
    return bound;
  });
  const [first = 0n, second, step = 1n] = bounds;
  if (step === 0n) throw new ScriptError('ValueError', 'range() arg 3 must not be zero');
  return second === undefined ? new RangeValue(0n, first, 1n) : new RangeValue(first, second, step);
}

/** To the nearest, ties to even. */
function roundValue(args: Arguments): Value {
  const [value = null, digits = null] = only('round', args, 1, 2).map(plain);
  if (typeof value === 'bigint') return value;
  if (typeof value !== 'number') throw new ScriptError('TypeError', `type ${typeName(value)} doesn't define __round__ method`);
  if (digits === null) return toInteger(roundHalfEven(value));
  if (typeof digits !== 'bigint' || digits < -300n || digits > 300n) throw new ScriptError('TypeError', 'round() takes a whole number of digits');
  return roundTo(value, Number(digits));
}

function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const above = x - floor;
  if (above !== 0.5) return Math.round(x);
  return floor % 2 === 0 ? floor : floor + 1;
}

function roundTo(x: number, digits: number): number {
  if (digits <= 0) return roundHalfEven(x / 10 ** -digits) * 10 ** -digits;
  if (digits > 100 || !Number.isFinite(x)) return x;
  return Number(x.toFixed(digits));
}

export function builtins(surroundings: BuiltinSurroundings): Map<string, Callable> {
  const { items } = surroundings;
  const extreme = (name: string, operator: '<' | '>') => (args: Arguments) => {
    const all = args.positional.length === 1 ? items(args.positional[0] as Value) : args.positional;
    if (all.length === 0) throw new ScriptError('ValueError', `${name}() arg is an empty sequence`);
    return all.reduce((best, value) => (compare(operator, value, best) ? value : best));
  };
  const table: Record<string, (args: Arguments) => Value> = {
    print: (args) => print(args, surroundings.write),
    str: (args) => str(only('str', args, 0, 1)[0] ?? ''),
    repr: (args) => repr(only('repr', args, 1, 1)[0] as Value),
    int: (args) => toInteger(only('int', args, 0, 1)[0] ?? 0n),
    float: (args) => toFloat(only('float', args, 0, 1)[0] ?? 0),
    bool: (args) => isTrue(only('bool', args, 0, 1)[0] ?? false),
    len: (args) => {
      const [value = null] = only('len', args, 1, 1);
      const length = value instanceof VariableProxy ? BigInt(items(value).length) : lengthOf(value);
      if (length === undefined) throw new ScriptError('TypeError', `object of type '${typeName(value)}' has no len()`);
      return length;
    },
    range: makeRange,
    list: (args) => new ListValue([...items(only('list', args, 0, 1)[0] ?? new ListValue([]))]),
    tuple: (args) => new TupleValue([...items(only('tuple', args, 0, 1)[0] ?? new ListValue([]))]),
    abs: (args) => {
      const [value = null] = only('abs', args, 1, 1);
      return compare('<', plain(value), 0n) ? negate(value) : value;
    },
    min: extreme('min', '<'),
    max: extreme('max', '>'),
    sum: (args) => items(only('sum', args, 1, 1)[0] as Value).reduce((total, value) => binary('+', total, value), 0n as Value),
    round: roundValue,
  };
  return new Map(Object.entries(table).map(([name, call]) => [name, { kind: 'callable', name, call }]));
}

/** Each item, separator and end is written by itself, as Python does. */
function print({ positional, keywords }: Arguments, write: (text: string) => void): null {
  const options = { sep: ' ', end: '\n' };
  for (const [name, value] of keywords) {
    if ((name !== 'sep' && name !== 'end') || typeof value !== 'string') {
      throw new ScriptError('TypeError', `print() takes sep and end, both text, not ${name}`);
    }
    options[name] = value;
  }
  for (const [index, value] of positional.entries()) {
    if (index > 0) write(options.sep);
    write(str(value));
  }
  write(options.end);
  return null;
}
