// The grammar of checkpoints; the comment on a rule is its production.
import {
  atFirstUse,
  EmbeddedActionsParser,
  type IParserConfig,
  type IToken,
  LEXER_OPTIONS,
  Lexer,
  PARSER_OPTIONS,
  type ParserMethod,
} from '../chevrotain.js';
import { decodeCharacter, decodeText } from './escapes.js';
import * as T from './tokens.js';
import type { Assignment, Declaration, Items, Literal, Path, Statement, Step } from './tree.js';

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
  readonly place: ParserMethod<[], Path> = this.RULE('place', (): Path => {
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

  /** literal: NUMBER | TEXT | CHARACTER | NAME | "&" place | list | LONG_LIST | UNSAVED */
  readonly literal: ParserMethod<[], Literal> = this.RULE('literal', (): Literal => {
    const at = this.LA(1).startOffset;
    return this.OR<Literal>([
      { ALT: () => ({ kind: 'number', at, image: this.CONSUME(T.NumberToken).image }) },
      { ALT: () => ({ kind: 'text', at, bytes: decodeText(this.CONSUME(T.Text).image) }) },
      { ALT: () => ({ kind: 'character', at, code: decodeCharacter(this.CONSUME(T.Character).image) }) },
      { ALT: () => ({ kind: 'name', at, name: this.CONSUME(T.Name).image }) },
      { ALT: () => this.SUBRULE(this.address) },
      { ALT: () => this.SUBRULE(this.list) },
      { ALT: () => ({ kind: 'list', at, items: this.CONSUME(T.LongList).payload as Items }) },
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

export const machinery = atFirstUse(() => ({
  lexer: new Lexer(T.tokenTypes, LEXER_OPTIONS),
  parser: new CheckpointParser(),
}));
