// A block's tokens in groups of whole statements, so that a long block need not be parsed at once.
import type { IToken } from '../../../../grammar/chevrotain.js';
import { tooLong } from './line-ends.js';
import { Colon, Dedent, Elif, Else, Except, Finally, Indent, Newline } from './tokens.js';

/** Tokens that continue the statement before them. */
const CONTINUATIONS: ReadonlySet<unknown> = new Set([Indent, Dedent, Elif, Else, Except, Finally]);

/** Parsing so many tokens takes a millisecond or two. */
const GROUP_TOKENS = 400;

/** Groups in order. Throws a SyntaxProblem for a statement of too many tokens. */
export function* statementGroups(tokens: IToken[], mostTokens: number): Generator<IToken[], void> {
  if (tokens.length <= GROUP_TOKENS) {
    yield tokens;
    return;
  }
  let [start, statementStart, depth] = [0, 0, 0];
  for (let index = 0; index < tokens.length; index++) {
    const { tokenType } = tokens[index] as IToken;
    if (tokenType === Indent) depth++;
    else if (tokenType === Dedent) depth--;
    const isLast = index === tokens.length - 1;
    if (!isLast && !(depth === 0 && endsStatement(tokens, index))) continue;
    const end = index + 1;
    if (end - statementStart > mostTokens)
      throw tooLong('statement', mostTokens, (tokens[statementStart] as IToken).startOffset);
    statementStart = end;
    if (!isLast && end - start < GROUP_TOKENS) continue;
    yield tokens.slice(start, end);
    start = end;
  }
}

/** Whether a statement of its own begins here, outside of all bodies. */
function endsStatement(tokens: readonly IToken[], index: number): boolean {
  const { tokenType } = tokens[index] as IToken;
  if (tokenType !== Newline && tokenType !== Dedent) return false;
  const next = tokens[index + 1]?.tokenType;
  if (CONTINUATIONS.has(next)) return false;
  // A body is missing here, and the error tells what stands in its place.
  return tokenType !== Newline || tokens[index - 1]?.tokenType !== Colon;
}
