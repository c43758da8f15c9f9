// A comparison that a client waits for: `ball.position[1] < 2`, as text or as an object.

import { z } from 'zod';
import type { Frame } from '../../model/frame/reader.js';
import { isIntegral } from '../../model/state/integer-range.js';
import { withArticle } from '../../model/state/misfit.js';
import type { Value } from '../../model/state/read.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { cNameOf, type EnumerationType, isCharacters, type Type } from '../../model/state/type.js';
import { Reference } from '../../serving/session/reference.js';
import type { Source } from '../../source/source.js';
import { BEYOND_DOUBLES, isBeyondDoubles } from './json-value.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';
import { alias } from './schemas.js';

const OPERATORS = ['<', '<=', '>', '>=', '==', '!='] as const;
type Operator = (typeof OPERATORS)[number];
type Operand = number | bigint | string | boolean;

const asObject = z.strictObject({
  alias,
  op: z.enum(OPERATORS),
  value: z.union([z.number(), z.string(), z.boolean()]),
  units: z.string().min(1).optional().describe('UDUNITS text that value is in'),
});
type GivenComparison = z.output<typeof asObject>;
type ParsedComparison = Pick<GivenComparison, 'alias' | 'op' | 'units'> & { readonly value: Operand };

export const comparison = z
  .union([z.string().max(1000), asObject], {
    error: `expected text like "ball.position[1] < 2", or an object of alias, op (${OPERATORS.join(' ')}) and value`,
  })
  .describe('A variable compared with a number, truth value, text or label of an enumeration');

export interface Comparison {
  readonly reference: Reference;
  holdsIn(frame: Frame): boolean;
}

/**
 * Throws an RpcError for text that is not a comparison, an unknown variable, or what cannot be compared: a structure or
 * array, a number with a text, a text with a number, an enumeration with no label of its own.
 */
export function createComparison(source: Source, given: string | GivenComparison): Comparison {
  const { alias: path, op, value, units } = parsed(given);
  const reference = new Reference(source, path, units);
  const operand = operandFor(path, reference.current?.type as Type, value);
  return { reference, holdsIn: (frame) => compare(reference.read(frame), op, operand) };
}

const parsed = (given: string | GivenComparison): ParsedComparison =>
  typeof given === 'string' ? parseComparison(given) : given;

/** What a variable of this type is compared with. Throws an RpcError. */
function operandFor(path: string, type: Type, value: Operand): Operand {
  if (isBeyondDoubles(value)) throw incomparable(BEYOND_DOUBLES);
  if (type.kind === 'text' || isCharacters(type)) {
    if (typeof value === 'string') return value;
    throw incomparable(`${path} is a text, which is compared with a text in quotes`);
  }
  if (type.kind === 'enumeration') return typeof value === 'string' ? numberOfLabel(path, type, value) : value;
  if (type.kind !== 'number' && type.kind !== 'bits')
    throw incomparable(`${path} is not one value: compare an element or a member of it`);
  if (typeof value === 'number' && isIntegral(type) && Math.abs(value) > Number.MAX_SAFE_INTEGER)
    throw incomparable(
      `${path} is ${withArticle(cNameOf(type))}: a number beyond 2^53 - 1 is given as text, because JSON may have lost digits`,
    );
  if (typeof value !== 'string') return value;
  if (/^-?\d{1,20}$/.test(value)) return BigInt(value);
  if (value === 'Infinity' || value === '-Infinity') return Number(value);
  throw incomparable(`${path} is a ${cNameOf(type)}, which cannot be compared with the text ${quoted(value)}`);
}

function numberOfLabel(path: string, { name, labels }: EnumerationType, label: string): number {
  if (Object.hasOwn(labels, label)) return labels[label] as number;
  const nearest = nearestNames(label, Object.keys(labels));
  throw incomparable(`${path} is a ${name}, which has no label ${quoted(label)}${didYouMean(nearest)}`);
}

const incomparable = (sentence: string): RpcError => new RpcError(RpcCode.invalidParams, sentence);

/** Parses alias, operator, and a number, true, false, a label, or text in double quotes. */
function parseComparison(text: string): ParsedComparison {
  const match = /^([^<>=!"]+)(<=|>=|==|!=|<|>)([\s\S]*)$/.exec(text);
  const operand = match && parseOperand((match[3] as string).trim());
  if (!match || operand === undefined || operand === null) {
    const sentence = `${JSON.stringify(text)} is not a comparison: a path, one of ${OPERATORS.join(' ')}, and a number, true, false, a label or "text" were expected`;
    throw new RpcError(RpcCode.invalidParams, sentence);
  }
  return { alias: (match[1] as string).trim(), op: match[2] as Operator, value: operand };
}

function parseOperand(text: string): Operand | undefined {
  if (/^(?!(?:true|false|null)$)[A-Za-z_]\w*$/.test(text)) return text;
  // JSON would lose digits of large integers.
  if (/^-?\d{16,20}$/.test(text)) return BigInt(text);
  try {
    const value: unknown = JSON.parse(text);
    return ['number', 'string', 'boolean'].includes(typeof value) ? (value as Operand) : undefined;
  } catch {
    return undefined;
  }
}

/** False for every operator while the variable cannot be reached. Booleans compare with numbers as 0 and 1. */
function compare(left: Value | undefined, op: Operator, right: Operand): boolean {
  if (left === undefined || left === null || typeof left === 'object') return false;
  if ((typeof left === 'string') !== (typeof right === 'string')) return op === '!=';
  const [a, b] =
    typeof left === 'string' ? [left, right as string] : [left, typeof right === 'bigint' ? right : Number(right)];
  switch (op) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
    default:
      // A bigint and a number of equal value are equal here; `===` would say that they differ.
      return (a <= b && a >= b) === (op === '==');
  }
}
