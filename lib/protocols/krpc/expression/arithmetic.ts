// Operators on numbers and truth values, with the types' own arithmetic: nothing is converted by itself.
import { invalidOperation } from '../service/procedure.js';
import { BOOL, describeType, isSameType, type KrpcType, type KrpcValue, SINT32, TypeCode } from '../values/type.js';
import { CHARACTERS_PER_STEP, type Evaluation, type Node, nodeOf, requireValue } from './node.js';

type Numeric = number | bigint;

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

function requireSame(operator: string, one: Node, other: Node, isAllowed: (type: KrpcType) => boolean): void {
  requireValue(one);
  requireValue(other);
  if (!isSameType(one.type, other.type) || !isAllowed(one.type)) refuse(operator, one, other);
}

type Compute = (one: never, other: never) => Numeric;

/** Integers are computed as bigint, so that no digit is lost before the result wraps. */
const ARITHMETIC: Readonly<
  Record<string, { whole: (a: bigint, b: bigint) => bigint; real: (a: number, b: number) => number }>
> = {
  Add: { whole: (a, b) => a + b, real: (a, b) => a + b },
  Subtract: { whole: (a, b) => a - b, real: (a, b) => a - b },
  Multiply: { whole: (a, b) => a * b, real: (a, b) => a * b },
  Divide: { whole: (a, b) => a / nonzero(b), real: (a, b) => a / b },
  Modulo: { whole: (a, b) => a % nonzero(b), real: (a, b) => a % b },
};

function nonzero(value: bigint): bigint {
  if (value === 0n) throw invalidOperation('an integer was divided by zero');
  return value;
}

export const arithmeticOperators = Object.keys(ARITHMETIC);

export function arithmetic(operator: string, one: Node, other: Node): Node {
  requireSame(operator, one, other, isNumber);
  const { type } = one;
  const { whole, real } = ARITHMETIC[operator] as (typeof ARITHMETIC)[string];
  const compute: Compute = isInteger(type)
    ? (a: Numeric, b: Numeric) => whole(BigInt(a), BigInt(b))
    : (a: number, b: number) => real(a, b);
  return nodeOf(type, [one, other], (evaluation) =>
    wrap(type, compute(one.evaluate(evaluation) as never, other.evaluate(evaluation) as never)),
  );
}

/** By doubles, with the type of the first operand. */
export function power(one: Node, other: Node): Node {
  requireValue(one);
  requireValue(other);
  if (!isNumber(one.type) || !isNumber(other.type)) refuse('Power', one, other);
  return nodeOf(one.type, [one, other], (evaluation) =>
    converted(one.type, Number(one.evaluate(evaluation)) ** Number(other.evaluate(evaluation))),
  );
}

export function shift(operator: 'LeftShift' | 'RightShift', one: Node, other: Node): Node {
  requireValue(one);
  if (!isInteger(one.type) || !isSameType(other.type, SINT32)) refuse(operator, one, other);
  const bits = one.type.code === TypeCode.sint64 || one.type.code === TypeCode.uint64 ? 63n : 31n;
  return nodeOf(one.type, [one, other], (evaluation) => {
    const value = BigInt(one.evaluate(evaluation) as Numeric);
    const count = BigInt(other.evaluate(evaluation) as number) & bits;
    return wrap(one.type, operator === 'LeftShift' ? value << count : value >> count);
  });
}

const ORDERS: Readonly<Record<string, (a: Numeric, b: Numeric) => boolean>> = {
  GreaterThan: (a, b) => a > b,
  GreaterThanOrEqual: (a, b) => a >= b,
  LessThan: (a, b) => a < b,
  LessThanOrEqual: (a, b) => a <= b,
};

export const orderOperators = Object.keys(ORDERS);

export function order(operator: string, one: Node, other: Node): Node {
  requireSame(operator, one, other, isNumber);
  const holds = ORDERS[operator] as (a: Numeric, b: Numeric) => boolean;
  return nodeOf(BOOL, [one, other], (evaluation) =>
    holds(one.evaluate(evaluation) as Numeric, other.evaluate(evaluation) as Numeric),
  );
}

export function equality(operator: 'Equal' | 'NotEqual', one: Node, other: Node): Node {
  requireSame(operator, one, other, () => true);
  return nodeOf(BOOL, [one, other], (evaluation) => {
    const isEqual = isSameValue(one.evaluate(evaluation), other.evaluate(evaluation), evaluation);
    return operator === 'Equal' ? isEqual : !isEqual;
  });
}

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

const LOGIC: Readonly<
  Record<string, { truth: (a: boolean, b: boolean) => boolean; bits: (a: bigint, b: bigint) => bigint }>
> = {
  And: { truth: (a, b) => a && b, bits: (a, b) => a & b },
  Or: { truth: (a, b) => a || b, bits: (a, b) => a | b },
  ExclusiveOr: { truth: (a, b) => a !== b, bits: (a, b) => a ^ b },
};

export const logicOperators = Object.keys(LOGIC);

export function logic(operator: string, one: Node, other: Node): Node {
  requireSame(operator, one, other, (type) => type.code === TypeCode.bool || isInteger(type));
  const { truth, bits } = LOGIC[operator] as (typeof LOGIC)[string];
  const { type } = one;
  if (type.code === TypeCode.bool) {
    return nodeOf(type, [one, other], (evaluation) =>
      truth(one.evaluate(evaluation) as boolean, other.evaluate(evaluation) as boolean),
    );
  }
  return nodeOf(type, [one, other], (evaluation) =>
    wrap(type, bits(BigInt(one.evaluate(evaluation) as Numeric), BigInt(other.evaluate(evaluation) as Numeric))),
  );
}

export function not(one: Node): Node {
  requireValue(one);
  const { type } = one;
  if (type.code === TypeCode.bool) return nodeOf(type, [one], (evaluation) => !one.evaluate(evaluation));
  if (!isInteger(type)) refuse('Not', one);
  return nodeOf(type, [one], (evaluation) => wrap(type, ~BigInt(one.evaluate(evaluation) as Numeric)));
}

/** A number as another type: a fraction is cut off, and an integer that does not fit wraps. */
export function converted(type: KrpcType, value: Numeric): Numeric {
  if (!isInteger(type)) return wrap(type, value);
  if (typeof value === 'bigint') return wrap(type, value);
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
