// What may stand left of an equals sign, and Python's words for what may not.
import { SyntaxProblem } from './syntax-error.js';
import type { Attribute, Expression, List, Name, Subscript, Target, Tuple } from './tree.js';

/** The expression as a target of `=`; `isOnly` says that no other target follows. Throws a SyntaxProblem. */
export function assignmentTarget(expression: Expression, end: number, isOnly: boolean): Target {
  if (isPlace(expression)) return expression;
  if (expression.kind === 'tuple' || expression.kind === 'list') return tupleTarget(expression, end);
  const name = nameOf(expression);
  const hint = isOnly && hasHint(expression) ? " here. Maybe you meant '==' instead of '='?" : '';
  throw new SyntaxProblem(`cannot assign to ${name}${hint}`, expression.at, end - expression.at);
}

/** The expression as the target of an augmented assignment. Throws a SyntaxProblem. */
export function augmentedTarget(expression: Expression, end: number): Name | Attribute | Subscript {
  if (isPlace(expression)) return expression;
  const message = `'${nameOf(expression)}' is an illegal expression for augmented assignment`;
  throw new SyntaxProblem(message, expression.at, end - expression.at);
}

/** The expression as the target of `del`. Throws a SyntaxProblem. */
export function deletedTarget(expression: Expression, end: number): Name | Attribute | Subscript {
  if (isPlace(expression)) return expression;
  throw new SyntaxProblem(`cannot delete ${nameOf(expression)}`, expression.at, end - expression.at);
}

function tupleTarget(tuple: Tuple | List, end: number): Target {
  const items = tuple.items.map((item) => assignmentTarget(item, Math.min(item.at + 1, end), false));
  return { kind: 'tuple', at: tuple.at, items };
}

function isPlace(expression: Expression): expression is Name | Attribute | Subscript {
  return expression.kind === 'name' || expression.kind === 'attribute' || expression.kind === 'subscript';
}

function hasHint(expression: Expression): boolean {
  return (
    !['boolean', 'none', 'comparison', 'conditional', 'logical'].includes(expression.kind) && !isNegation(expression)
  );
}

function isNegation(expression: Expression): boolean {
  return expression.kind === 'unary' && expression.operator === 'not';
}

const names: Readonly<Partial<Record<Expression['kind'], string>>> = {
  none: 'None',
  integer: 'literal',
  float: 'literal',
  text: 'literal',
  bytes: 'literal',
  'formatted-text': 'f-string expression',
  call: 'function call',
  list: 'list',
  comprehension: 'list comprehension',
  tuple: 'tuple',
  dictionary: 'dict literal',
  comparison: 'comparison',
  conditional: 'conditional expression',
};

function nameOf(expression: Expression): string {
  if (expression.kind === 'boolean') return expression.value ? 'True' : 'False';
  return names[expression.kind] ?? 'expression';
}
