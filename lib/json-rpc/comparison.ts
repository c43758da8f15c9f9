// A comparison that a client waits for: `ball.position[1] < 2`, as text or as an object.
import { z } from 'zod';
import type { Frame } from '../frame/reader.js';
import type { Value } from '../model/read.js';
import { Reference } from '../session/reference.js';
import type { Source } from '../source/source.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { alias } from './schemas.js';

const OPERATORS = ['<', '<=', '>', '>=', '==', '!='] as const;
type Operator = (typeof OPERATORS)[number];
type Operand = number | string | boolean;

const asObject = z.strictObject({
  alias,
  op: z.enum(OPERATORS),
  value: z.union([z.number(), z.string(), z.boolean()]),
  units: z.string().min(1).optional().describe('UDUNITS text that value is in'),
});
type GivenComparison = z.output<typeof asObject>;

export const comparison = z
  .union([z.string().max(1000), asObject], {
    error: `expected text like "ball.position[1] < 2", or an object of alias, op (${OPERATORS.join(' ')}) and value`,
  })
  .describe('A variable compared with a number, truth value or text');

export interface Comparison {
  readonly reference: Reference;
  holdsIn(frame: Frame): boolean;
}

/**
 * Throws an RpcError for text that is not a comparison, an unknown variable, or a variable that cannot be compared so.
 */
export function createComparison(source: Source, given: string | GivenComparison): Comparison {
  const { alias: path, op, value, units } = typeof given === 'string' ? parseComparison(given) : given;
  const reference = new Reference(source, path, units);
  const kind = reference.current?.type.kind as string;
  if (['struct', 'array', 'sequence', 'pointer'].includes(kind) && typeof value !== 'string') {
    throw new RpcError(RpcCode.invalidParams, `${path} is not one value: compare an element or a member of it`);
  }
  return { reference, holdsIn: (frame) => compare(reference.read(frame), op, value) };
}

/** Parses alias, operator, and a number, true, false or text in double quotes. */
function parseComparison(text: string): GivenComparison {
  const match = /^([^<>=!"]+)(<=|>=|==|!=|<|>)([\s\S]*)$/.exec(text);
  const operand = match && parseOperand((match[3] as string).trim());
  if (!match || operand === undefined || operand === null) {
    const sentence = `${JSON.stringify(text)} is not a comparison: a path, one of ${OPERATORS.join(' ')}, and a number, true, false or "text" were expected`;
    throw new RpcError(RpcCode.invalidParams, sentence);
  }
  return { alias: (match[1] as string).trim(), op: match[2] as Operator, value: operand };
}

function parseOperand(text: string): Operand | undefined {
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
  const [a, b] = typeof left === 'string' ? [left, right as string] : [left, Number(right)];
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
