// A condition that a client waits for: `ball.position[1] < 2`.
import type { TrickValue } from './value.js';

const OPERATORS = ['<=', '>=', '==', '!=', '<', '>'] as const;
type Operator = (typeof OPERATORS)[number];
type Operand = number | boolean | string;

export interface WaitCondition {
  readonly name: string;
  /** The label that the variable is compared with, if it is one. */
  readonly label: string | undefined;
  /** False while the variable has no value. */
  readonly holds: (value: TrickValue | undefined) => boolean;
}

const LABEL = /^(?!true$|false$)[A-Za-z_]\w*$/;

/** Parses a variable, an operator, and a number, true, false, a label or text in double quotes. Throws a TypeError. */
export function parseCondition(text: string): WaitCondition {
  const [, name = '', operator, rest = ''] = /^([^<>=!"]+)(<=|>=|==|!=|<|>)(.*)$/s.exec(text) ?? [];
  const label = LABEL.exec(rest.trim())?.[0];
  const operand = label ?? operandOf(rest.trim());
  if (operator === undefined || operand === undefined)
    throw new TypeError(
      `expected a condition such as ball.position[1] < 2: a variable, one of ${OPERATORS.join(' ')}, and a number, true, false, a label or "text", not ${text}`,
    );
  return { name: name.trim(), label, holds: (value) => compares(value, operator as Operator, operand) };
}

function operandOf(text: string): Operand | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function compares(value: TrickValue | undefined, operator: Operator, operand: Operand): boolean {
  if (value === undefined || typeof value === 'object') return false;
  if ((typeof value === 'string') !== (typeof operand === 'string')) return operator === '!=';
  const [left, right] = typeof value === 'string' ? [value, operand as string] : [value, Number(operand)];
  const isEqual = left <= right && left >= right;
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    default:
      return isEqual === (operator === '==');
  }
}
