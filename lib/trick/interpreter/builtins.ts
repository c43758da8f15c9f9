// The functions that the language itself has: print, str, int, float, bool, len, range, list, abs, min, max, sum, round.
import { compare, outcomeOf } from './comparison.js';
import { roundTo } from './decimal.js';
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';
import { toInteger, toReal } from './number-of.js';
import { binary, lengthOf, takeList, unary } from './operators.js';
import { repr, str } from './text.js';
import {
  type Arguments,
  arithmetic,
  type Callable,
  isTrue,
  ListValue,
  plain,
  Quantity,
  RangeValue,
  type Run,
  type ScriptValue,
  TupleValue,
  typeName,
  VariableProxy,
} from './values.js';

/** What the builtins need of the running block. */
export interface BuiltinSurroundings {
  readonly meter: Meter;
  write(text: string): void;
  /** The items of an iterable value, one by one. Throws a TypeError for any other value. */
  iterate(value: ScriptValue): Iterable<ScriptValue>;
  /** How many elements an array or container has. */
  elementCount(variable: VariableProxy): number;
}

/** Gives way now and then where it has much to do. */
type Builtin = (args: Arguments) => ScriptValue | Run<ScriptValue>;

/** The arguments of a function that takes no keywords. */
function only(name: string, { positional, keywords }: Arguments, least: number, most: number): readonly ScriptValue[] {
  if (keywords[0]) throw new ScriptError('TypeError', `${name}() takes no keyword arguments`);
  if (positional.length >= least && positional.length <= most) return positional;
  const noun = (count: number): string => `${count} argument${count === 1 ? '' : 's'}`;
  const expected =
    least === most
      ? `takes exactly ${least === 1 ? 'one argument' : noun(least)}`
      : positional.length < least
        ? `expected at least ${noun(least)}`
        : `expected at most ${noun(most)}`;
  const given = least === most ? ` (${positional.length} given)` : `, got ${positional.length}`;
  throw new ScriptError('TypeError', `${name}${least === most ? '()' : ''} ${expected}${given}`);
}

function makeRange(args: Arguments): ScriptValue {
  const bounds = only('range', args, 1, 3).map((value) => {
    const bound = arithmetic(plain(value));
    if (typeof bound !== 'bigint') {
      throw new ScriptError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
    }
    return bound;
  });
  const [first = 0n, second, step = 1n] = bounds;
  if (step === 0n) throw new ScriptError('ValueError', 'range() arg 3 must not be zero');
  return second === undefined ? new RangeValue(0n, first, 1n) : new RangeValue(first, second, step);
}

/** `round(x, places)`: ties go to the even digit. */
function round(args: Arguments): ScriptValue {
  const [given = null, places = null] = only('round', args, 1, 2).map(plain);
  const value = arithmetic(given);
  const digits = places === null ? undefined : arithmetic(places);
  if (value === undefined)
    throw new ScriptError('TypeError', `type ${typeName(given)} doesn't define __round__ method`);
  if (places !== null && typeof digits !== 'bigint') {
    throw new ScriptError('TypeError', `'${typeName(places)}' object cannot be interpreted as an integer`);
  }
  if (typeof value === 'bigint') return roundInteger(value, digits as bigint | undefined);
  if (digits === undefined) return Number.isFinite(value) ? BigInt(roundTo(value, 0)) : toInteger(value);
  const rounded = roundTo(value, Number(digits));
  if (!Number.isFinite(rounded) && Number.isFinite(value))
    throw new ScriptError('OverflowError', 'rounded value too large to represent');
  return rounded;
}

/** Rounds to tens and hundreds for negative digits; ties go to the even one. */
function roundInteger(value: bigint, digits = 0n): bigint {
  if (digits >= 0n) return value;
  if (digits < -1300n) return 0n;
  const unit = 10n ** -digits;
  const rest = ((value % unit) + unit) % unit;
  const floor = value - rest;
  const isUp = 2n * rest > unit || (2n * rest === unit && (floor / unit) % 2n !== 0n);
  return isUp ? floor + unit : floor;
}

/** An array or container variable is shown by its elements, with its units behind them. */
function* shown(value: ScriptValue, surroundings: BuiltinSurroundings): Run<ScriptValue> {
  if (!(value instanceof VariableProxy) || value.variable.type.kind === 'struct') return value;
  const elements: ScriptValue[] = [];
  for (const element of surroundings.iterate(value)) {
    if (surroundings.meter.isTurnOver) yield 'turn';
    elements.push(element instanceof VariableProxy ? yield* shown(element, surroundings) : element);
  }
  const list = new ListValue(elements.map((element) => (element instanceof Quantity ? element.magnitude : element)));
  const [first] = elements;
  return first instanceof Quantity ? new Quantity(list, first.units) : list;
}

/** Each item, separator and end is written by itself, as Python does. */
function* print({ positional, keywords }: Arguments, surroundings: BuiltinSurroundings): Run<null> {
  const { meter, write } = surroundings;
  const options = { sep: ' ', end: '\n' };
  for (const [name, value] of keywords) {
    if (name === 'flush') continue;
    if (name !== 'sep' && name !== 'end')
      throw new ScriptError('TypeError', `'${name}' is an invalid keyword argument for print()`);
    if (value !== null && typeof value !== 'string') {
      throw new ScriptError('TypeError', `${name} must be None or a string, not ${typeName(value)}`);
    }
    if (value !== null) options[name] = value;
  }
  for (const [index, value] of positional.entries()) {
    if (index > 0) write(options.sep);
    write(yield* str(yield* shown(value, surroundings), meter));
  }
  write(options.end);
  return null;
}

export function builtins(surroundings: BuiltinSurroundings): Map<string, Callable> {
  const table = { ...conversions(surroundings), ...overLists(surroundings) };
  return new Map(Object.entries(table).map(([name, call]) => [name, { kind: 'callable', name, call }]));
}

function conversions(surroundings: BuiltinSurroundings): Record<string, Builtin> {
  const { meter } = surroundings;
  return {
    print: (args) => print(args, surroundings),
    *str(args) {
      const [value = args.positional.length > 0 ? null : ''] = only('str', args, 0, 1);
      return yield* str(yield* shown(value, surroundings), meter);
    },
    repr: (args) => repr(only('repr', args, 1, 1)[0] as ScriptValue, meter),
    int: (args) => toInteger(first('int', args, 0n)),
    float: (args) => toReal(first('float', args, 0)),
    bool: (args) => isTrue(first('bool', args, false)),
    abs: (args) => magnitude(only('abs', args, 1, 1)[0] as ScriptValue),
    range: makeRange,
    round,
  };
}

/** The one argument, or `none` when there is no argument. */
function first(name: string, args: Arguments, none: ScriptValue): ScriptValue {
  const [value] = only(name, args, 0, 1);
  return value === undefined ? none : value;
}

function magnitude(value: ScriptValue): ScriptValue {
  const number = arithmetic(plain(value));
  if (number === undefined) throw new ScriptError('TypeError', `bad operand type for abs(): '${typeName(value)}'`);
  if (value instanceof Quantity) return number < 0 ? unary('-', value) : value;
  return number < 0 || Object.is(number, -0) ? -number : number;
}

function overLists({ meter, iterate, elementCount }: BuiltinSurroundings): Record<string, Builtin> {
  const itemsOf = function* (value: ScriptValue): Run<ScriptValue[]> {
    const items: ScriptValue[] = [];
    for (const item of iterate(value)) {
      if (meter.isTurnOver) yield 'turn';
      meter.allocate(16);
      items.push(item);
    }
    takeList(items.length, meter);
    return items;
  };
  const extreme = (name: string, operator: '<' | '>'): Builtin => {
    return function* (args) {
      if (args.keywords[0]) throw new ScriptError('TypeError', `${name}() takes no keyword arguments here`);
      if (args.positional.length === 0)
        throw new ScriptError('TypeError', `${name} expected at least 1 argument, got 0`);
      let best: ScriptValue | undefined;
      for (const value of args.positional.length === 1 ? iterate(args.positional[0] as ScriptValue) : args.positional) {
        if (meter.isTurnOver) yield 'turn';
        meter.spend(1);
        if (best === undefined || (yield* outcomeOf(compare(operator, value, best, meter)))) best = value;
      }
      if (best === undefined) throw new ScriptError('ValueError', `${name}() arg is an empty sequence`);
      return best;
    };
  };
  return {
    len: (args) => {
      const [value = null] = only('len', args, 1, 1);
      const length = value instanceof VariableProxy ? BigInt(elementCount(value)) : lengthOf(value, meter);
      if (length === undefined) throw new ScriptError('TypeError', `object of type '${typeName(value)}' has no len()`);
      return length;
    },
    *list(args) {
      return new ListValue(yield* itemsOf(first('list', args, new ListValue([]))));
    },
    *tuple(args) {
      return new TupleValue(yield* itemsOf(first('tuple', args, new ListValue([]))));
    },
    min: extreme('min', '<'),
    max: extreme('max', '>'),
    *sum(args): Run<ScriptValue> {
      let total: ScriptValue = 0n;
      for (const value of iterate(only('sum', args, 1, 1)[0] as ScriptValue)) {
        if (typeof value === 'string')
          throw new ScriptError('TypeError', "unsupported operand type(s) for +: 'int' and 'str'");
        if (meter.isTurnOver) yield 'turn';
        meter.spend(1);
        total = binary('+', total, value, meter);
      }
      return total;
    },
  };
}
