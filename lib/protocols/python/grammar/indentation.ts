// The pass between lexer and parser: Python's lines, brackets and indentation, and the errors that Python finds in them.
import { createTokenInstance, type IToken, type TokenType } from '../../../../grammar/chevrotain.js';
import { maxNesting } from './limits.js';
import { lineEnds } from './line-ends.js';
import { explainMalformed } from './malformed.js';
import type { Pieces } from './pieces.js';
import { lineNumberAt, SyntaxProblem } from './syntax-error.js';
import {
  Dedent,
  Indent,
  LeftBrace,
  LeftBracket,
  LeftParenthesis,
  lexer,
  Malformed,
  Newline,
  RightBrace,
  RightBracket,
  RightParenthesis,
  tokenTypes,
} from './tokens.js';

/** The tokens of a block as the parser wants them. */
export interface TokenLines {
  readonly tokens: IToken[];
  /** The innermost bracket that is still open at the end. */
  readonly unclosed: IToken | undefined;
  /** An upper bound of the tokens of one statement. */
  readonly longestLine: number;
}

/** The width of an indentation with tabs of 8 columns and with tabs of 1; where the two disagree, Python reports mixed tabs. */
interface Width {
  readonly columns: number;
  readonly characters: number;
}

const noIndentation: Width = { columns: 0, characters: 0 };
const tabColumns = 8;

const Role = { ordinary: 0, newline: 1, opening: 2, closing: 3, malformed: 4 } as const;
type Role = (typeof Role)[keyof typeof Role];

/** The role of each token type, by the type's index: one array read per token. */
const roles = new Uint8Array(Math.max(...tokenTypes.map((type) => type.tokenTypeIdx ?? 0)) + 1);
function setRole(role: Role, ...types: TokenType[]): void {
  for (const type of types) roles[type.tokenTypeIdx ?? 0] = role;
}
setRole(Role.newline, Newline);
setRole(Role.opening, LeftParenthesis, LeftBracket, LeftBrace);
setRole(Role.closing, RightParenthesis, RightBracket, RightBrace);
setRole(Role.malformed, ...tokenTypes.filter((type) => type.CATEGORIES?.includes(Malformed)));

function roleOf(token: IToken): Role {
  return roles[token.tokenTypeIdx] as Role;
}

const openingOf: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Characters that are lexed at once, and the rest of the line. */
const PIECE_LENGTH = 2048;

/** Lexes a block piece by piece and lays its tokens out in lines; yields between pieces. Throws a SyntaxProblem. */
export function* tokenLines(text: string, mostTokens: number): Pieces<TokenLines> {
  const pass = new LinePass(text);
  let start = 0;
  if (text.length > PIECE_LENGTH) {
    for (const end of lineEnds(text, mostTokens)) {
      if (end - start < PIECE_LENGTH) continue;
      pass.take(lexPiece(text, start, end));
      yield end - start;
      start = end;
    }
  }
  pass.take(lexPiece(text, start, text.length));
  return pass.finish();
}

function lexPiece(text: string, start: number, end: number): IToken[] {
  if (start === 0 && end === text.length) return lexer().tokenize(text).tokens;
  const { tokens } = lexer().tokenize(text.slice(start, end));
  for (const token of tokens) token.startOffset += start;
  return tokens;
}

/** Lexes an expression inside the block that ends before `end`; newlines mean nothing in it. Throws a SyntaxProblem. */
export function expressionTokens(text: string, start: number, end: number): TokenLines {
  return new LinePass(text, end).inBrackets(lexPiece(text, start, end));
}

class LinePass {
  private readonly tokens: IToken[] = [];
  private readonly brackets: IToken[] = [];
  private readonly indentations: Width[] = [noIndentation];
  private lineStart = 0;
  private atLineStart = true;
  private firstTokenOfLine = 0;
  private longestLine = 0;

  constructor(
    private readonly text: string,
    private readonly end = text.length,
  ) {}

  take(lexed: readonly IToken[]): void {
    for (const token of lexed) {
      const role = roleOf(token);
      if (role === Role.newline) this.newline(token);
      else {
        if (this.atLineStart) this.startLine(token);
        this.add(token, role);
      }
    }
  }

  finish(): TokenLines {
    if (this.brackets.length === 0) this.closeLines();
    return this.result();
  }

  inBrackets(lexed: readonly IToken[]): TokenLines {
    for (const token of lexed) {
      const role = roleOf(token);
      if (role !== Role.newline) this.add(token, role);
    }
    return this.result();
  }

  private result(): TokenLines {
    const longestLine = Math.max(this.longestLine, this.tokens.length - this.firstTokenOfLine);
    return { tokens: this.tokens, unclosed: this.brackets.at(-1), longestLine };
  }

  private add(token: IToken, role: Role): void {
    if (role === Role.opening) this.open(token);
    else if (role === Role.closing) this.close(token);
    else if (role === Role.malformed) throw explainMalformed(token, this.text, this.end);
    this.tokens.push(token);
  }

  private newline(token: IToken): void {
    if (this.brackets.length > 0) return;
    if (!this.atLineStart) this.endLine(token);
    this.lineStart = token.startOffset + 1;
  }

  private endLine(newline: IToken): void {
    this.tokens.push(newline);
    this.longestLine = Math.max(this.longestLine, this.tokens.length - this.firstTokenOfLine);
    this.firstTokenOfLine = this.tokens.length;
    this.atLineStart = true;
  }

  private open(token: IToken): void {
    this.brackets.push(token);
    if (this.brackets.length > maxNesting) throw new SyntaxProblem('too many nested parentheses', token.startOffset);
  }

  private close(token: IToken): void {
    const opening = this.brackets.pop();
    if (opening === undefined) throw new SyntaxProblem(`unmatched '${token.image}'`, token.startOffset);
    if (opening.image === openingOf[token.image]) return;
    const openingLine = lineNumberAt(this.text, opening.startOffset);
    const place = openingLine === lineNumberAt(this.text, token.startOffset) ? '' : ` on line ${openingLine}`;
    const message = `closing parenthesis '${token.image}' does not match opening parenthesis '${opening.image}'${place}`;
    throw new SyntaxProblem(message, token.startOffset);
  }

  /** Turns the indentation of the line's first token into Indent and Dedent tokens. */
  private startLine(token: IToken): void {
    this.atLineStart = false;
    if (token.startOffset === this.lineStart && this.indentations.length === 1) return;
    const width = this.measure(this.lineStart, token.startOffset);
    const current = this.currentIndentation();
    if (width.columns > current.columns) this.indent(width, token);
    else if (width.columns < current.columns) this.dedent(width, token);
    this.checkTabs(width, token);
  }

  private indent(width: Width, token: IToken): void {
    if (width.characters <= this.currentIndentation().characters) throw this.unclearTabs(token);
    this.indentations.push(width);
    if (this.indentations.length > maxNesting) {
      throw new SyntaxProblem('too many levels of indentation', token.startOffset, 1, 'IndentationError');
    }
    this.insert(Indent, token.startOffset);
  }

  private dedent(width: Width, token: IToken): void {
    while (this.currentIndentation().columns > width.columns) {
      this.indentations.pop();
      this.insert(Dedent, token.startOffset);
    }
    if (this.currentIndentation().columns === width.columns) return;
    const message = 'unindent does not match any outer indentation level';
    throw new SyntaxProblem(message, this.endOfLine(token.startOffset), 1, 'IndentationError');
  }

  private checkTabs(width: Width, token: IToken): void {
    if (width.characters !== this.currentIndentation().characters) throw this.unclearTabs(token);
  }

  private unclearTabs(token: IToken): SyntaxProblem {
    const message = 'inconsistent use of tabs and spaces in indentation';
    return new SyntaxProblem(message, this.endOfLine(token.startOffset), 1, 'TabError');
  }

  private endOfLine(at: number): number {
    const newline = this.text.indexOf('\n', at);
    return newline < 0 ? this.text.length : newline;
  }

  private currentIndentation(): Width {
    return this.indentations.at(-1) ?? noIndentation;
  }

  /** A form feed starts the count again, as in Python. */
  private measure(start: number, end: number): Width {
    let columns = 0;
    let characters = 0;
    for (let index = start; index < end; index++) {
      const character = this.text[index];
      if (character === '\f') columns = characters = 0;
      else if (character === ' ') {
        columns++;
        characters++;
      } else if (character === '\t') {
        columns = (Math.floor(columns / tabColumns) + 1) * tabColumns;
        characters++;
      } else if (character !== '\r') break;
    }
    return { columns, characters };
  }

  private closeLines(): void {
    if (!this.atLineStart) this.endLine(synthetic(Newline, this.text.length));
    for (let level = this.indentations.length; level > 1; level--) this.insert(Dedent, this.text.length);
  }

  private insert(type: TokenType, at: number): void {
    this.tokens.push(synthetic(type, at));
  }
}

function synthetic(type: TokenType, at: number): IToken {
  const none = Number.NaN;
  return createTokenInstance(type, '', at, none, none, none, none, none);
}
