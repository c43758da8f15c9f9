// Operators on numbers and truth values, with the types' own arithmetic: nothing is converted by itself.
import { invalidOperation } from '../service/procedure.js';
import { BOOL, describeType, isSameType, type KrpcType, type KrpcValue, SINT32, TypeCode } from '../values/type.js';
import {
  CHARACTERS_PER_STEP,
  type Evaluation,
  type Node,
  nodeOf,
  type Operator,
  operator,
  requireValue,
} from './node.js';

type Numeric = number | bigint;
type Of<Value, Result> = (one: Value, other: Value) => Result;
/** What an operator does with two values of a type; undefined when it is not defined for the type. */
type Compute = (type: KrpcType) => ((one: never, other: never, evaluation: Evaluation) => KrpcValue) | undefined;

/** Brings a result back into its type, as C# does: integers wrap, a float is rounded. */
function wrap({ code }: KrpcType, value: Numeric): Numeric {
  switch (code) {
    case TypeCode.sint32:
      return Number(BigInt.asIntN(32, BigInt(value)));
    case TypeCode.uint32:
      return Number(BigInt.asUintN(32, BigInt(value)));
    case TypeCode.sint64:
      return BigInt.asIntN(64, BigInt(value));
    case TypeCode.uint64:
      return BigInt.asUintN(64, BigInt(value));
    case TypeCode.float:
      return Math.fround(Number(value));
    default:
      return Number(value);
  }
}

const INTEGERS: readonly TypeCode[] = [TypeCode.sint32, TypeCode.sint64, TypeCode.uint32, TypeCode.uint64];
const FLOATING: readonly TypeCode[] = [TypeCode.float, TypeCode.double];
const isInteger = ({ code }: KrpcType): boolean => INTEGERS.includes(code);
export const isNumber = (type: KrpcType): boolean => isInteger(type) || FLOATING.includes(type.code);

function refuse(operator: string, ...operands: readonly Node[]): never {
  const types = operands.map(({ type }) => describeType(type)).join(' and ');
  throw invalidOperation(`${operator} is not defined for ${types}; Cast converts a type`);
}

/** An operator on two values of one type, which gives that type or another one. */
const pair = (name: string, about: string, compute: Compute, gives?: KrpcType): Operator =>
  operator(name, 'arg0 arg1', about, (one, other) => {
    requireValue(one);
    requireValue(other);
    const of = isSameType(one.type, other.type) ? compute(one.type) : undefined;
    if (!of) return refuse(name, one, other);
    return nodeOf(gives ?? one.type, [one, other], (evaluation) =>
      of(one.evaluate(evaluation) as never, other.evaluate(evaluation) as never, evaluation),
    );
  });

const ORDERS: Readonly<Record<string, Of<Numeric, boolean>>> = {
  GreaterThan: (one, other) => one > other,
  GreaterThanOrEqual: (one, other) => one >= other,
  LessThan: (one, other) => one < other,
  LessThanOrEqual: (one, other) => one <= other,
};

/** Integers are computed as bigint, so that no digit is lost before the result wraps. */
const onIntegers =
  (type: KrpcType, whole: Of<bigint, bigint>) =>
  (one: Numeric, other: Numeric): KrpcValue =>
    wrap(type, whole(BigInt(one), BigInt(other)));

/** On truth values, and on the bits of integers. */
const LOGIC: Readonly<Record<string, { truth: Of<boolean, boolean>; bits: Of<bigint, bigint> }>> = {
  And: { truth: (one, other) => one && other, bits: (one, other) => one & other },
  Or: { truth: (one, other) => one || other, bits: (one, other) => one | other },
  ExclusiveOr: { truth: (one, other) => one !== other, bits: (one, other) => one ^ other },
};

const ARITHMETIC: Readonly<Record<string, { real: Of<number, number>; whole: Of<bigint, bigint> }>> = {
  Add: { real: (one, other) => one + other, whole: (one, other) => one + other },
  Subtract: { real: (one, other) => one - other, whole: (one, other) => one - other },
  Multiply: { real: (one, other) => one * other, whole: (one, other) => one * other },
  Divide: { real: (one, other) => one / other, whole: (one, other) => one / nonzero(other) },
  Modulo: { real: (one, other) => one % other, whole: (one, other) => one % nonzero(other) },
};

const SHIFTS: Readonly<Record<string, Of<bigint, bigint>>> = {
  Left: (value, count) => value << count,
  Right: (value, count) => value >> count,
};

function nonzero(value: bigint): bigint {
  if (value === 0n) throw invalidOperation('an integer was divided by zero');
  return value;
}

function not(one: Node): Node {
  requireValue(one);
  const { type } = one;
  if (type.code === TypeCode.bool) return nodeOf(type, [one], (evaluation) => !one.evaluate(evaluation));
  if (!isInteger(type)) refuse('Not', one);
  return nodeOf(type, [one], (evaluation) => wrap(type, ~BigInt(one.evaluate(evaluation) as Numeric)));
}

/** By doubles, with the type of the first operand. */
function power(one: Node, other: Node): Node {
  requireValue(one);
  requireValue(other);
  if (!isNumber(one.type) || !isNumber(other.type)) refuse('Power', one, other);
  return nodeOf(one.type, [one, other], (evaluation) =>
    converted(one.type, Number(one.evaluate(evaluation)) ** Number(other.evaluate(evaluation))),
  );
}

function shift(name: string, moved: Of<bigint, bigint>, one: Node, other: Node): Node {
  requireValue(one);
  const { type } = one;
  if (!isInteger(type) || !isSameType(other.type, SINT32)) refuse(name, one, other);
  const bits = type.code === TypeCode.sint64 || type.code === TypeCode.uint64 ? 63n : 31n;
  const move = onIntegers(type, (value, count) => moved(value, count & bits));
  return nodeOf(type, [one, other], (evaluation) =>
    move(one.evaluate(evaluation) as Numeric, other.evaluate(evaluation) as number),
  );
}

export const OPERATORS: readonly Operator[] = [
  pair('Equal', 'Whether two values are equal.', () => isSameValue, BOOL),
  pair('NotEqual', 'Whether two values differ.', () => (one, other, steps) => !isSameValue(one, other, steps), BOOL),
  ...Object.entries(ORDERS).map(([name, holds]) =>
    pair(name, `Compares two numbers of one type: ${name}.`, (type) => (isNumber(type) ? holds : undefined), BOOL),
  ),
  ...Object.entries(LOGIC).map(([name, { truth, bits }]) =>
    pair(name, `${name} of two truth values, or of the bits of two integers.`, (type) => {
      if (type.code === TypeCode.bool) return truth;
      return isInteger(type) ? onIntegers(type, bits) : undefined;
    }),
  ),
  operator('Not', 'arg', 'The opposite of a truth value, or of the bits of an integer.', not),
  ...Object.entries(ARITHMETIC).map(([name, { real, whole }]) =>
    pair(name, `${name} of two numbers of one type.`, (type) => {
      if (isInteger(type)) return onIntegers(type, whole);
      return isNumber(type) ? (one: number, other: number) => wrap(type, real(one, other)) : undefined;
    }),
  ),
  operator('Power', 'arg0 arg1', 'The first number to the power of the second, with the type of the first.', power),
  ...Object.entries(SHIFTS).map(([way, moved]) =>
    operator(`${way}Shift`, 'arg0 arg1', `The bits of an integer moved to the ${way.toLowerCase()}.`, (one, other) =>
      shift(`${way}Shift`, moved, one, other),
    ),
  ),
];

/** Whether two values of one type are equal; objects are by their key. Each item of a list is a step, and so are 64 characters. */
export function isSameValue(one: KrpcValue, other: KrpcValue, steps: Pick<Evaluation, 'step'>): boolean {
  // Texts of two lengths differ without a look at their characters.
  if (typeof one === 'string' && typeof other === 'string' && one.length === other.length)
    steps.step(one.length / CHARACTERS_PER_STEP);
  if (typeof one !== 'object' || one === null || other === null || typeof other !== 'object') return one === other;
  if ('key' in one && 'key' in other) return one.key === other.key;
  if (!Array.isArray(one) || !Array.isArray(other)) return one === other;
  steps.step(one.length);
  return (
    one.length === other.length && one.every((item: KrpcValue, i) => isSameValue(item, other[i] as KrpcValue, steps))
  );
}

/** A number as another type: a fraction is cut off, and an integer that does not fit wraps. */
export function converted(type: KrpcType, value: Numeric): Numeric {
  if (!isInteger(type) || typeof value === 'bigint') return wrap(type, value);
  // C# leaves the result open; zero is always there.
  return wrap(type, Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n);
}

export function cast(one: Node, type: KrpcType): Node {
  requireValue(one);
  if (isSameType(one.type, type)) return one;
  const isEnumeration = one.type.code === TypeCode.enumeration;
  if (!isNumber(type) || (!isNumber(one.type) && !isEnumeration)) {
    throw invalidOperation(`a ${describeType(one.type)} cannot be cast to ${describeType(type)}`);
  }
  return nodeOf(type, [one], (evaluation) => converted(type, one.evaluate(evaluation) as Numeric));
}
