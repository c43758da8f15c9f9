// A fast parser for the lines that clients send by the thousand, `module.name("text", 1)`; it gives the same tree as the grammar, or nothing.
import type { Pieces } from './pieces.js';
import { keywordWords } from './tokens.js';
import type { Block, Expression, Statement } from './tree.js';

const head = /[A-Za-z_]\w*\.[A-Za-z_]\w*\(/y;
/** The most usual argument. */
const textArgument = /"[^"\\\n\r]*"(?:, ?|\))/y;
const argument = /(?:"([^"\\\n\r]*)"|'([^'\\\n\r]*)'|(0|[1-9]\d{0,14})|(\d{1,15}\.\d{1,15})|(True|False))(?:, ?|\))/y;
const lineEnd = /[ \t]*;?[ \t]*(?:\n|$)/y;
const blankLine = /[ \t]*\n/y;

/** No sign has a smaller number. */
const BLANK = 32;
const NO_KEYWORDS: readonly never[] = [];

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
    const end = text.charCodeAt(position) <= BLANK ? endOf(blankLine, text, position) : addLine(text, position, body);
    if (end < 0) return undefined;
    position = end;
  }
  return { kind: 'block', at: 0, body };
}

/** Adds the line's statement and returns where the next line starts, -1 when the line has another form. */
function addLine(text: string, at: number, body: Statement[]): number {
  head.lastIndex = at;
  // Without the list of what matched: it would be most of the memory that a line takes.
  if (!head.test(text)) return -1;
  if (!takeModule(text, at)) return -1;
  const name = text.slice(at + prefix.length, head.lastIndex - 1);
  if (keywordWords.has(name)) return -1;
  const positional: Expression[] = [];
  const end = addArguments(text, head.lastIndex, positional);
  if (end < 0) return -1;
  const object: Expression = { kind: 'name', at, name: module };
  const callee: Expression = { kind: 'attribute', at, object, name };
  body.push({
    kind: 'expression-statement',
    at,
    value: { kind: 'call', at, callee, positional, keywords: NO_KEYWORDS },
  });
  return endOf(lineEnd, text, end);
}

/** The module of the line before, without a dot and with it: most lines call the same one. */
let module = '';
let prefix = '.';

/** False for a word of the language. */
function takeModule(text: string, at: number): boolean {
  if (text.startsWith(prefix, at)) return true;
  const name = text.slice(at, text.indexOf('.', at));
  if (keywordWords.has(name)) return false;
  // A key of an object is the one string of its characters, and such a name is found fastest.
  [module = ''] = Object.keys({ [name]: 0 });
  prefix = `${module}.`;
  return true;
}

/** Adds literals up to the closing parenthesis and returns the offset behind it, -1 when anything else comes. */
function addArguments(text: string, start: number, positional: Expression[]): number {
  if (text[start] === ')') return start + 1;
  for (let at = start; ; ) {
    if (positional.length >= MOST_ARGUMENTS) return -1;
    const { value, end } = textAt(text, at) ?? literalAt(text, at) ?? NO_ARGUMENT;
    if (value === undefined) return -1;
    positional.push(value);
    at = end;
    // A comma may have a blank behind it, a parenthesis has none.
    if (text[end - 1] === ')') return end;
  }
}

interface ParsedArgument {
  readonly value: Expression | undefined;
  /** The offset behind the comma or the parenthesis. */
  readonly end: number;
}

const NO_ARGUMENT: ParsedArgument = { value: undefined, end: -1 };

/** The most usual argument, found without the list of what matched. */
function textAt(text: string, at: number): ParsedArgument | undefined {
  textArgument.lastIndex = at;
  if (!textArgument.test(text)) return undefined;
  const quote = text.indexOf('"', at + 1);
  return { value: { kind: 'text', at, value: text.slice(at + 1, quote) }, end: textArgument.lastIndex };
}

function literalAt(text: string, at: number): ParsedArgument | undefined {
  argument.lastIndex = at;
  const match = argument.exec(text);
  return match ? { value: literal(match, at), end: argument.lastIndex } : undefined;
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
