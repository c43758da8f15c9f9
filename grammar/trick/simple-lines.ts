// A fast parser for the lines that clients send by the thousand, `trick.name("text", 1)`; it gives the same tree as the grammar, or nothing.
import type { Pieces } from './pieces.js';
import { keywordWords } from './tokens.js';
import type { Block, Expression, Statement } from './tree.js';

const head = /trick\.([A-Za-z_]\w*)\(/y;
const argument = /(?:"([^"\\\n\r]*)"|'([^'\\\n\r]*)'|(0|[1-9]\d{0,14})|(\d{1,15}\.\d{1,15})|(True|False))(?:(,) ?|\))/y;
const lineEnd = /[ \t]*;?[ \t]*(?:\n|$)/y;
const blankLine = /[ \t]*\n/y;

/** Lines between two yields. */
const LINES_AT_ONCE = 200;
/** A call of more arguments is left to the grammar. */
const MOST_ARGUMENTS = 1000;

/** The tree of a block that consists of such lines and blank lines; undefined for any other block. Yields now and then. */
export function* parseSimpleLines(text: string): Pieces<Block | undefined> {
  const body: Statement[] = [];
  let lines = 0;
  for (let position = 0; position < text.length; ) {
    if (++lines % LINES_AT_ONCE === 0) yield 0;
    const end = text.charCodeAt(position) === 0x74 ? addLine(text, position, body) : endOf(blankLine, text, position);
    if (end < 0) return undefined;
    position = end;
  }
  return { kind: 'block', at: 0, body };
}

/** Adds the line's statement and returns where the next line starts, -1 when the line has another form. */
function addLine(text: string, at: number, body: Statement[]): number {
  head.lastIndex = at;
  const name = head.exec(text)?.[1];
  if (name === undefined || keywordWords.has(name)) return -1;
  const positional: Expression[] = [];
  const end = addArguments(text, head.lastIndex, positional);
  if (end < 0) return -1;
  const object: Expression = { kind: 'name', at, name: 'trick' };
  const callee: Expression = { kind: 'attribute', at, object, name };
  body.push({ kind: 'expression-statement', at, value: { kind: 'call', at, callee, positional, keywords: [] } });
  return endOf(lineEnd, text, end);
}

/** Adds literals up to the closing parenthesis and returns the offset behind it, -1 when anything else comes. */
function addArguments(text: string, start: number, positional: Expression[]): number {
  if (text[start] === ')') return start + 1;
  for (let at = start; ; at = argument.lastIndex) {
    argument.lastIndex = at;
    const match = argument.exec(text);
    if (match === null || positional.length >= MOST_ARGUMENTS) return -1;
    positional.push(literal(match, at));
    if (match[6] === undefined) return argument.lastIndex;
  }
}

function literal(match: RegExpExecArray, at: number): Expression {
  const text = match[1] ?? match[2];
  if (text !== undefined) return { kind: 'text', at, value: text };
  if (match[3] !== undefined) return { kind: 'integer', at, value: Number(match[3]) };
  if (match[4] !== undefined) return { kind: 'float', at, value: Number(match[4]) };
  return { kind: 'boolean', at, value: match[5] === 'True' };
}

function endOf(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : -1;
}
