// The grammar of checkpoints; the comment on a rule is its production.
import {
  atFirstUse,
  EmbeddedActionsParser,
  EOF,
  type IParserConfig,
  type IRecognitionException,
  type IToken,
  LEXER_OPTIONS,
  Lexer,
  PARSER_OPTIONS,
  type ParserMethod,
} from '../chevrotain.js';
import { decodeCharacter, decodeText } from './escapes.js';
import * as T from './tokens.js';
import type { Assignment, CheckpointResult, Declaration, Literal, Place, Statement, Step } from './tree.js';

/** Lists may lie inside each other this deep, deeper than any array; the bound protects the stack. */
const DEEPEST_LIST = 32;

export class CheckpointParser extends EmbeddedActionsParser {
  constructor(options: IParserConfig = PARSER_OPTIONS) {
    super(T.tokenTypes, { ...options, maxLookahead: 2 });
    this.performSelfAnalysis();
  }

  /** checkpoint: statement* EOF */
  readonly checkpoint: ParserMethod<[], Statement[]> = this.RULE('checkpoint', (): Statement[] => {
    const statements: Statement[] = [];
    this.MANY(() => {
      statements.push(this.SUBRULE(this.statement));
    });
    return statements;
  });

  /** statement: (declaration | assignment | clear) ";" */
  readonly statement: ParserMethod<[], Statement> = this.RULE('statement', (): Statement => {
    const statement = this.OR<Statement>([
      { ALT: () => this.SUBRULE(this.declaration) },
      { ALT: () => this.SUBRULE(this.assignment) },
      { ALT: () => this.SUBRULE(this.clear) },
    ]);
    this.CONSUME(T.Semicolon);
    return statement;
  });

  /** declaration: NAME (NAME | "*")+ ("[" NUMBER "]")* */
  readonly declaration: ParserMethod<[], Declaration> = this.RULE('declaration', (): Declaration => {
    const first = this.CONSUME1(T.Name);
    const words: IToken[] = [first];
    this.AT_LEAST_ONE(() => {
      words.push(this.OR([{ ALT: () => this.CONSUME2(T.Name) }, { ALT: () => this.CONSUME(T.Star) }]));
    });
    const extents: number[] = [];
    this.MANY(() => {
      extents.push(this.SUBRULE(this.index));
    });
    const name = words.pop()?.image ?? '';
    const typeName = words.map(({ image }) => image).join(' ');
    return { kind: 'declaration', at: first.startOffset, typeName, name, extents };
  });

  /** assignment: place "=" literal */
  readonly assignment: ParserMethod<[], Assignment> = this.RULE('assignment', (): Assignment => {
    const at = this.LA(1).startOffset;
    const target = this.SUBRULE(this.place);
    this.CONSUME(T.Equals);
    return { kind: 'assignment', at, target, value: this.SUBRULE(this.literal) };
  });

  /** clear: NAME "(" ")" */
  readonly clear: ParserMethod<[], Statement> = this.RULE('clear', (): Statement => {
    const name = this.CONSUME(T.Name, { LABEL: 'clear_all_vars' });
    this.CONSUME(T.LeftParenthesis);
    this.CONSUME(T.RightParenthesis);
    return { kind: 'clear', at: name.startOffset };
  });

  /** place: NAME ("." (NAME | NUMBER) | "[" NUMBER "]")* */
  readonly place: ParserMethod<[], Place> = this.RULE('place', (): Place => {
    const root = this.CONSUME1(T.Name).image;
    const steps: Step[] = [];
    this.MANY(() => {
      const step = this.OR1<Step>([{ ALT: () => this.SUBRULE(this.member) }, { ALT: () => this.SUBRULE(this.index) }]);
      steps.push(step);
    });
    return { root, steps };
  });

  /** member: "." NAME */
  readonly member: ParserMethod<[], string> = this.RULE('member', (): string => {
    this.CONSUME(T.Dot);
    return this.CONSUME(T.Name).image;
  });

  /** index: "[" NUMBER "]" */
  readonly index: ParserMethod<[], number> = this.RULE('index', (): number => {
    this.CONSUME(T.LeftBracket);
    const { image } = this.CONSUME(T.NumberToken);
    this.CONSUME(T.RightBracket);
    return /^\d{1,15}$/.test(image) ? Number(image) : Number.NaN;
  });

  /** literal: NUMBER | TEXT | CHARACTER | NAME | "&" place | list | UNSAVED */
  readonly literal: ParserMethod<[], Literal> = this.RULE('literal', (): Literal => {
    const at = this.LA(1).startOffset;
    return this.OR<Literal>([
      { ALT: () => ({ kind: 'number', at, image: this.CONSUME(T.NumberToken).image }) },
      { ALT: () => ({ kind: 'text', at, bytes: decodeText(this.CONSUME(T.Text).image) }) },
      { ALT: () => ({ kind: 'character', at, code: decodeCharacter(this.CONSUME(T.Character).image) }) },
      { ALT: () => ({ kind: 'name', at, name: this.CONSUME(T.Name).image }) },
      { ALT: () => this.SUBRULE(this.address) },
      { ALT: () => this.SUBRULE(this.list) },
      {
        ALT: () => {
          this.CONSUME(T.Unsaved);
          return { kind: 'unsaved', at };
        },
      },
    ]);
  });

  /** address: "&" place ("+" NUMBER)? COUNT? */
  readonly address: ParserMethod<[], Literal> = this.RULE('address', (): Literal => {
    const at = this.CONSUME(T.Ampersand).startOffset;
    const place = this.SUBRULE(this.place);
    const isBetween = this.OPTION1(() => {
      this.CONSUME(T.Plus);
      this.CONSUME(T.NumberToken);
      return true;
    });
    const count = this.OPTION2(() => Number(this.CONSUME(T.Count).image.slice('/*count '.length, -2)));
    if (isBetween) return { kind: 'unsaved', at };
    return count === undefined ? { kind: 'address', at, place } : { kind: 'address', at, place, count };
  });

  /** list: "{" (literal ("," literal)*)? "}" */
  readonly list: ParserMethod<[], Literal> = this.RULE('list', (): Literal => {
    const at = this.CONSUME(T.LeftBrace).startOffset;
    const items: Literal[] = [];
    this.MANY_SEP({
      SEP: T.Comma,
      DEF: () => {
        items.push(this.SUBRULE(this.literal));
      },
    });
    this.CONSUME(T.RightBrace);
    return { kind: 'list', at, items };
  });
}

const machinery = atFirstUse(() => ({ lexer: new Lexer(T.tokenTypes, LEXER_OPTIONS), parser: new CheckpointParser() }));

/** Parses a whole file, one character a byte. Never throws. */
export function parseCheckpoint(text: string): CheckpointResult {
  const all: Statement[][] = [];
  for (const { statements, error } of parsePieces(text)) {
    if (error) return { error };
    all.push([...statements]);
  }
  return { statements: all.flat() };
}

/**
 * Parses a file piece by piece, up to the first error, because the statements of a large file take ten times its
 * memory.
 */
export function* parsePieces(text: string): Generator<CheckpointResult> {
  for (const [start, end] of pieces(text)) {
    const result = parsePiece(text, start, end);
    yield result;
    if (result.error) return;
  }
}

function parsePiece(text: string, start: number, end: number): CheckpointResult {
  const { lexer, parser } = machinery();
  const { tokens } = lexer.tokenize(text.slice(start, end));
  for (const token of tokens) token.startOffset += start;
  const tooDeep = deeperThan(tokens, DEEPEST_LIST);
  if (tooDeep)
    return { error: { message: `lists stand at most ${DEEPEST_LIST} deep in each other`, at: tooDeep.startOffset } };
  parser.input = tokens;
  const statements = parser.checkpoint();
  const exception = parser.errors[0];
  if (exception !== undefined) return { error: explain(exception, text) };
  return misspelt(statements, text) ?? { statements };
}

/** The tokens of a file of a million statements at a time would fill the memory. */
const PIECE_LENGTH = 65_536;
/** A text, a character or a comment, in which a semicolon ends nothing, or the end of a statement. */
const SKIPPED_OR_END = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|'(?:\\[\s\S]|[^'\\])'|\/\/[^\n]*|\/\*[\s\S]*?\*\/|;/g;

/** Where the pieces of a file begin and end; each but the last ends with a statement. */
function* pieces(text: string): Generator<readonly [number, number]> {
  let start = 0;
  while (text.length - start > PIECE_LENGTH) {
    const end = endBehind(text, start);
    yield [start, end];
    start = end;
  }
  if (start < text.length || start === 0) yield [start, text.length];
}

function endBehind(text: string, start: number): number {
  SKIPPED_OR_END.lastIndex = start;
  for (let found = SKIPPED_OR_END.exec(text); found; found = SKIPPED_OR_END.exec(text)) {
    if (found[0] === ';' && SKIPPED_OR_END.lastIndex - start >= PIECE_LENGTH) return SKIPPED_OR_END.lastIndex;
  }
  return text.length;
}

/** Refuses what the grammar takes but no checkpoint has: another function than clear_all_vars, an index that is no whole number. */
function misspelt(statements: readonly Statement[], text: string): CheckpointResult | undefined {
  for (const statement of statements) {
    const { at } = statement;
    if (statement.kind === 'clear') {
      if (!text.startsWith('clear_all_vars', at))
        return { error: { message: 'a checkpoint calls clear_all_vars() and nothing else', at } };
    } else {
      const steps = statement.kind === 'declaration' ? statement.extents : statement.target.steps;
      if (steps.some(Number.isNaN)) return { error: { message: 'an index is a whole number from 0 up', at } };
    }
  }
  return undefined;
}

function deeperThan(tokens: readonly IToken[], limit: number): IToken | undefined {
  let depth = 0;
  return tokens.find(({ tokenType }) => {
    if (tokenType === T.LeftBrace) depth++;
    else if (tokenType === T.RightBrace || tokenType === T.Semicolon) depth = Math.max(0, depth - 1);
    return depth > limit;
  });
}

const EXPECTED: Readonly<Record<string, string>> = {
  checkpoint: 'an assignment such as ball.state.mass = 1;',
  statement: "';' at the end of the statement",
  declaration: 'a name and its extents, such as double values[3];',
  assignment: "'=' and a value",
  clear: 'clear_all_vars();',
  place: "a member's name or an index",
  member: "a member's name after the dot",
  index: 'an index such as [0]',
  literal: 'a value',
  address: "a variable after '&'",
  list: "',' or '}' in the list",
};

function explain({ token, context }: IRecognitionException, text: string) {
  const isEnd = token.tokenType === EOF;
  const at = isEnd ? text.trimEnd().length : token.startOffset;
  const came = isEnd ? 'the end of the file' : JSON.stringify(token.image.slice(0, 40));
  const rule = context.ruleStack.at(-1) ?? 'checkpoint';
  return { message: `expected ${EXPECTED[rule] ?? 'a statement'}, found ${came}`, at };
}

/** The line that an offset is on, from 1. */
export const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;
