// What the expression parser makes of parts that it has read, and Python's errors about them.
import type { IToken } from '../../../../grammar/chevrotain.js';
import { maxClauses, maxExpressionDepth } from './limits.js';
import { SyntaxProblem } from './syntax-error.js';
import * as t from './tokens.js';
import type { ComprehensionClause, Expression, Keyword } from './tree.js';

/** The arguments of a call as far as they have been read. */
export interface Arguments {
  readonly positional: Expression[];
  readonly keywords: Keyword[];
}

/** `values[0] if tests[0] else (values[1] if tests[1] else ...)` */
export function conditional(values: readonly Expression[], tests: readonly Expression[]): Expression {
  const last = values.at(-1) as Expression;
  return tests.reduceRight<Expression>((otherwise, test, index) => {
    const then = values[index] as Expression;
    return { kind: 'conditional', at: then.at, test, then, otherwise };
  }, last);
}

/** A comprehension over the clauses, if there are any. Throws a SyntaxProblem when there are too many. */
export function withClauses(element: Expression, clauses: readonly ComprehensionClause[], at = element.at): Expression {
  if (clauses.length === 0) return element;
  if (clauses.length > maxClauses)
    throw new SyntaxProblem(`a comprehension has at most ${maxClauses} loops`, clauses[maxClauses]?.at ?? at);
  return { kind: 'comprehension', at, element, clauses };
}

/** Python's rule that a comprehension without brackets is the only argument. */
export function checkGenerator({ positional }: Arguments): void {
  const bare = [positional[0], positional.at(-1)].find(isBare);
  if (bare && positional.length > 1) throw new SyntaxProblem('Generator expression must be parenthesized', bare.at);
}

/** With brackets it begins before its element. */
const isBare = (expression: Expression | undefined): boolean =>
  expression?.kind === 'comprehension' && expression.at === expression.element.at;

export function checkKeyword(expression: Expression, first: IToken, equals: IToken): void {
  if (expression.kind === 'name' && expression.at === first.startOffset) return;
  const length = equals.startOffset + 1 - first.startOffset;
  const isConstant = first.tokenType === t.True || first.tokenType === t.False || first.tokenType === t.None;
  const message = isConstant
    ? `cannot assign to ${first.image}`
    : 'expression cannot contain assignment, perhaps you meant "=="?';
  throw new SyntaxProblem(message, first.startOffset, length);
}

/** The problem of an expression that has more levels than the limit. */
export function tooDeep(at: number): SyntaxProblem {
  return new SyntaxProblem(`expression with more than ${maxExpressionDepth} nested operations`, at);
}
