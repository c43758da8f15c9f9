// A long list of a checkpoint, which is read from the text each time: a client's may have millions of values.
import { decodeCharacter, decodeText } from './escapes.js';
import { machinery } from './rules.js';
import * as T from './tokens.js';
import type { CheckpointSyntaxError, Items, Literal } from './tree.js';

/** Lists may lie inside each other this deep, deeper than any array; the bound protects the stack. */
const DEEPEST_LIST = 32;

/** Why a list at an offset is refused that stands so deep; undefined when it may. */
export const tooDeep = (depth: number, at: number): CheckpointSyntaxError | undefined =>
  depth > DEEPEST_LIST ? { message: `lists stand at most ${DEEPEST_LIST} deep in each other`, at } : undefined;

/** The numbers that items may be: a `char` has a sign, and a `bool` may be a word. */
export type NumberKind = 'char' | 'bool' | 'integer' | 'big integer' | 'floating';

export class LongList implements Items {
  private constructor(
    private readonly text: string,
    readonly start: number,
    /** Behind its brace. */
    readonly end: number,
    readonly length: number,
    /** Whether an address is among its items, or in one of them. */
    readonly holdsAddress: boolean,
  ) {}

  /** The list whose brace is at an offset, or why it is none. */
  static at(text: string, start: number): LongList | CheckpointSyntaxError {
    const scan = new Scan(text);
    const length = scan.list(start, 1);
    return scan.error ?? new LongList(text, start, scan.end, length, scan.hasAddress);
  }

  *[Symbol.iterator](): Generator<Literal> {
    const { text } = this;
    for (let at = skipBlanks(text, this.start + 1); text.charCodeAt(at) !== RIGHT_BRACE; ) {
      const end = this.endOfItem(at);
      yield this.item(at, end);
      at = behindItem(text, end);
    }
  }

  /** Calls with the value of each item for numbers of a kind; NaN for any other item, of which `item` makes the literal. */
  eachNumber(kind: NumberKind, call: (value: number, index: number, item: () => Literal) => void): void {
    const { text } = this;
    let [at, end, index] = [skipBlanks(text, this.start + 1), 0, 0];
    const item = () => this.item(at, end);
    while (text.charCodeAt(at) !== RIGHT_BRACE) {
      end = this.endOfItem(at);
      call(numberAt(text, at, end, kind), index++, item);
      at = behindItem(text, end);
    }
  }

  private endOfItem(at: number): number {
    const first = this.text.charCodeAt(at);
    if (first === AMPERSAND) return matched(ADDRESS, this.text, at);
    if (first !== LEFT_BRACE) return endOfValue(this.text, at);
    const scan = new Scan(this.text);
    scan.list(at, 1);
    return scan.end;
  }

  private item(at: number, end: number): Literal {
    const { text } = this;
    switch (text.charCodeAt(at)) {
      case LEFT_BRACE:
        return { kind: 'list', at, items: LongList.at(text, at) as LongList };
      case QUOTE:
        return { kind: 'character', at, code: decodeCharacter(text.slice(at, end)) };
      case AMPERSAND:
        return addressIn(text, at, end) as Literal;
      default:
        return literalOf(text.slice(at, end), at);
    }
  }
}

/** Finds the end of a list and counts its items; it makes nothing of them. */
class Scan {
  end = 0;
  hasAddress = false;
  error: CheckpointSyntaxError | undefined;

  constructor(private readonly text: string) {}

  /** Returns the number of items; `end` is behind the list. */
  list(start: number, depth: number): number {
    const { text } = this;
    const error = tooDeep(depth, start);
    if (error) return this.refuse(error);
    let length = 0;
    this.end = skipBlanks(text, start + 1);
    if (!isValueAt(text, this.end)) return this.close(length);
    for (;;) {
      this.value(this.end, depth);
      if (this.error) return 0;
      length++;
      this.end = skipBlanks(text, this.end);
      if (text.charCodeAt(this.end) !== COMMA) return this.close(length);
      this.end = skipBlanks(text, this.end + 1);
    }
  }

  private value(at: number, depth: number): void {
    const code = this.text.charCodeAt(at);
    if (code === LEFT_BRACE) this.list(at, depth + 1);
    else if (code === AMPERSAND) this.address(at);
    else {
      this.end = endOfValue(this.text, at);
      if (this.end < 0) this.refuse(unexpected('a value', this.text, at));
    }
  }

  private address(at: number): void {
    this.hasAddress = true;
    this.end = matched(ADDRESS, this.text, at);
    if (!addressIn(this.text, at, this.end)) this.refuse(unexpected("a variable after '&'", this.text, at));
  }

  private close(length: number): number {
    if (this.text.charCodeAt(this.end) !== RIGHT_BRACE)
      return this.refuse(unexpected("',' or '}' in the list", this.text, this.end));
    this.end++;
    return length;
  }

  private refuse(error: CheckpointSyntaxError): number {
    this.error ??= error;
    return 0;
  }
}

const [LEFT_BRACE, RIGHT_BRACE, COMMA, QUOTE, AMPERSAND, BACKSLASH] = Buffer.from(`{},'&\\`);
const [DIGIT_0, DIGIT_9, MINUS, SLASH, SPACE, LETTER_X] = Buffer.from('09-/ x');

const sticky = (...patterns: RegExp[]): RegExp => new RegExp(patterns.map(({ source }) => source).join('|'), 'y');
const patternOf = ({ PATTERN }: { readonly PATTERN?: unknown }): RegExp => PATTERN as RegExp;
/** In the order in which the lexer tries them. */
const VALUE = sticky(...[T.Text, T.Unsaved, T.NumberToken, T.Name, T.Character].map(patternOf));
const TEXT = sticky(patternOf(T.Text));
const NUMBER = sticky(patternOf(T.NumberToken));
const ADDRESS = /&(?:\/\*[\s\S]*?(?:\*\/|$)|[^,}])*/y;
const BLANKS = /(?:[ \t\r\n\f\v]+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;

/** The end of what a pattern matches at an offset; -1 when it does not. */
function matched(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  const code = text.charCodeAt(at);
  return code < (SPACE as number) || code === SLASH ? matched(BLANKS, text, at) : at;
}

/** The next item of a list, or its brace. */
function behindItem(text: string, end: number): number {
  const at = skipBlanks(text, end);
  return text.charCodeAt(at) === COMMA ? skipBlanks(text, at + 1) : at;
}

const isDigit = (code: number): boolean => code >= (DIGIT_0 as number) && code <= (DIGIT_9 as number);
const isEnd = (code: number): boolean => code === COMMA || code === RIGHT_BRACE || code <= (SPACE as number);

/** A list without items is followed by its brace at once. */
function isValueAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === LEFT_BRACE || code === AMPERSAND || endOfValue(text, at) >= 0;
}

/** The end of a number, character, name, text or unsaved value; -1 when there is none. */
function endOfValue(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE && text.charCodeAt(at + 1) !== BACKSLASH && text.charCodeAt(at + 2) === QUOTE) return at + 3;
  let end = first === MINUS ? at + 1 : at;
  while (isDigit(text.charCodeAt(end))) end++;
  return isDigit(text.charCodeAt(end - 1)) && end > at && isEnd(text.charCodeAt(end)) ? end : matched(VALUE, text, at);
}

/** Undefined when it is none. */
function addressIn(text: string, at: number, end: number): Literal | undefined {
  const { lexer, parser } = machinery();
  parser.input = lexer.tokenize(text.slice(at, end)).tokens;
  const literal = parser.address();
  return parser.errors.length > 0 ? undefined : { ...literal, at };
}

function literalOf(image: string, at: number): Literal {
  if (matched(TEXT, image, 0) === image.length) return { kind: 'text', at, bytes: decodeText(image) };
  if (/^ERROR(?::| -)/.test(image)) return { kind: 'unsaved', at };
  return matched(NUMBER, image, 0) === image.length ? { kind: 'number', at, image } : { kind: 'name', at, name: image };
}

/** Integers of so many characters are exact. */
const EXACT_LENGTH = 15;

function numberAt(text: string, at: number, end: number, kind: NumberKind): number {
  const first = text.charCodeAt(at);
  if (first === QUOTE) return kind === 'char' ? (characterAt(text, at, end) << 24) >> 24 : characterAt(text, at, end);
  if (first === MINUS || isDigit(first)) return integerAt(text, at, end) ?? floatingAt(text, at, end, kind);
  if (kind === 'bool' && end === at + 4 && text.startsWith('true', at)) return 1;
  return kind === 'bool' && end === at + 5 && text.startsWith('false', at) ? 0 : Number.NaN;
}

const floatingAt = (text: string, at: number, end: number, kind: NumberKind): number =>
  kind === 'floating' ? Number(text.slice(at, end)) : Number.NaN;

function characterAt(text: string, at: number, end: number): number {
  if (text.charCodeAt(at + 1) !== BACKSLASH) return text.charCodeAt(at + 1);
  if (text.charCodeAt(at + 2) !== LETTER_X) return decodeCharacter(text.slice(at, end));
  const high = end - at === 6 ? hexadecimal(text.charCodeAt(at + 3)) : 0;
  return 16 * high + hexadecimal(text.charCodeAt(end - 2));
}

const hexadecimal = (code: number): number => (isDigit(code) ? code - (DIGIT_0 as number) : (code | 32) - 87);

/** Undefined for any other number than a short integer. */
function integerAt(text: string, start: number, end: number): number | undefined {
  if (end - start > EXACT_LENGTH) return undefined;
  const isNegative = text.charCodeAt(start) === MINUS;
  let value = 0;
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (!isDigit(code)) return undefined;
    value = 10 * value + code - (DIGIT_0 as number);
  }
  return isNegative ? -value : value;
}

function unexpected(expected: string, text: string, at: number): CheckpointSyntaxError {
  const [token] = machinery().lexer.tokenize(text.slice(at, at + 1000)).tokens;
  if (!token) return { message: `expected ${expected}, found the end of the file`, at: text.trimEnd().length };
  return { message: `expected ${expected}, found ${T.found(token)}`, at };
}
