// Where a block may be cut into pieces that lex by themselves, and how many tokens its lines hold, found in one quick pass.
import { SyntaxProblem } from './syntax-error.js';

const CODE = {
  newline: 10,
  carriageReturn: 13,
  quote: 34,
  comment: 35,
  apostrophe: 39,
  backslash: 92,
  brace: 123,
} as const;

/** Offsets behind newlines that are in no text, comment or joined line. Throws a SyntaxProblem for a line of too many tokens. */
export function* lineEnds(text: string, mostTokens: number): Generator<number, void> {
  let tokens = 0;
  let isInWord = false;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    const start = at;
    const isWord = isWordCode(code);
    if (code === CODE.quote || code === CODE.apostrophe) {
      at = endOfText(text, at, code);
      tokens += fieldsIn(text, start, at);
    } else if (code === CODE.comment) at = endOfLine(text, at);
    else if (code === CODE.backslash) at = endOfBackslash(text, at);
    else at++;
    if (code > 32 && !(isWord && isInWord)) tokens++;
    isInWord = isWord;
    if (tokens > mostTokens) throw tooLong('line', mostTokens, start);
    if (code !== CODE.newline) continue;
    tokens = 0;
    yield at;
  }
}

export const tooLong = (what: string, mostTokens: number, at: number): SyntaxProblem =>
  new SyntaxProblem(`a ${what} is limited to ${mostTokens} words and signs`, at);

const isWordCode = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122) || code === 46;

/** Behind a joined line's newline, or behind the backslash alone. */
function endOfBackslash(text: string, at: number): number {
  let end = at + 1;
  while (text.charCodeAt(end) === CODE.carriageReturn) end++;
  return text.charCodeAt(end) === CODE.newline ? end + 1 : at + 1;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** The most fields that a text may have, if it is an f-string. */
function fieldsIn(text: string, start: number, end: number): number {
  let fields = 0;
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === CODE.brace) fields++;
  return fields;
}

/** Behind the closing quotes; a text that is never closed ends with its line, or with the block when it has three quotes. */
function endOfText(text: string, at: number, quote: number): number {
  const isLong = text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote;
  const marks = isLong ? 3 : 1;
  for (let next = at + marks; next < text.length; next++) {
    const code = text.charCodeAt(next);
    if (code === CODE.backslash) next++;
    else if (code === CODE.newline && !isLong) return next;
    else if (code === quote && (!isLong || text.startsWith(text.slice(at, at + 3), next))) return next + marks;
  }
  return text.length;
}
