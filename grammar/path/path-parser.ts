// The grammar of variable paths; the comment on a rule is its production.
import {
  atFirstUse,
  createToken,
  EmbeddedActionsParser,
  EOF,
  type IParserConfig,
  type IRecognitionException,
  type IToken,
  LEXER_OPTIONS,
  Lexer,
  PARSER_OPTIONS,
  type ParserMethod,
  type TokenType,
} from '../chevrotain.js';
import type { PathError, PathResult, PathStep } from './path.js';

const Name = createToken({ name: 'Name', pattern: /[A-Za-z_]\w*/ });
const Integer = createToken({ name: 'Integer', pattern: /\d+/ });
const Minus = createToken({ name: 'Minus', pattern: '-' });
const Dot = createToken({ name: 'Dot', pattern: '.' });
const LeftBracket = createToken({ name: 'LeftBracket', pattern: '[' });
const RightBracket = createToken({ name: 'RightBracket', pattern: ']' });
const Blank = createToken({ name: 'Blank', pattern: /[ \t\r\n]+/, group: Lexer.SKIPPED, line_breaks: true });
/** Every other character, so that lexing cannot fail and the parser points at it. */
const Other = createToken({
  name: 'Other',
  pattern: /[\x00-\x08\x0b\x0c\x0e-\x1f!-,/:-@\\^`{-\uffff]/,
  line_breaks: false,
});
export const tokenTypes: TokenType[] = [Blank, Name, Integer, Minus, Dot, LeftBracket, RightBracket, Other];

export class PathParser extends EmbeddedActionsParser {
  constructor(options: IParserConfig = PARSER_OPTIONS) {
    super(tokenTypes, { ...options, maxLookahead: 1 });
    this.performSelfAnalysis();
  }

  /** path: NAME (member | index)* EOF */
  readonly path: ParserMethod<[], PathStep[]> = this.RULE('path', (): PathStep[] => {
    const steps: PathStep[] = [{ kind: 'member', name: this.CONSUME(Name).image }];
    this.MANY(() => {
      const step = this.OR<PathStep>([
        { ALT: () => this.SUBRULE(this.member) },
        { ALT: () => this.SUBRULE(this.index) },
      ]);
      steps.push(step);
    });
    return steps;
  });

  /** member: "." (NAME | INTEGER) */
  readonly member: ParserMethod<[], PathStep> = this.RULE('member', (): PathStep => {
    this.CONSUME(Dot);
    const name = this.OR([{ ALT: () => this.CONSUME(Name) }, { ALT: () => this.CONSUME(Integer) }]);
    return { kind: 'member', name: name.image };
  });

  /** index: "[" "-"? INTEGER "]" */
  readonly index: ParserMethod<[], PathStep> = this.RULE('index', (): PathStep => {
    this.CONSUME(LeftBracket);
    const minus = this.OPTION(() => this.CONSUME(Minus));
    const size = Number(this.CONSUME(Integer).image);
    this.CONSUME(RightBracket);
    return { kind: 'index', index: minus === undefined || size === 0 ? size : -size };
  });
}

const machinery = atFirstUse(() => ({ lexer: new Lexer(tokenTypes, LEXER_OPTIONS), parser: new PathParser() }));

/** Parses a path in any spelling. Never throws. */
export function parseWithGrammar(text: string): PathResult {
  const { lexer, parser } = machinery();
  const { tokens } = lexer.tokenize(text);
  parser.input = tokens;
  const steps = parser.path();
  const exception = parser.errors[0];
  if (exception !== undefined) return { error: explain(exception, tokens, text) };
  const tooLarge = tokens.find((token) => token.tokenType === Integer && !Number.isSafeInteger(Number(token.image)));
  if (tooLarge === undefined) return { steps };
  return { error: { message: 'expected an index below 2^53', column: tooLarge.startOffset + 1 } };
}

function explain(exception: IRecognitionException, tokens: readonly IToken[], text: string): PathError {
  const { token } = exception;
  const isEnd = token.tokenType === EOF;
  const previous = isEnd ? tokens.at(-1) : tokens[tokens.indexOf(token) - 1];
  const expected = expectedAfter(previous, exception.context.ruleStack.at(-1));
  const at = isEnd ? text.trimEnd().length : token.startOffset;
  const came = isEnd ? 'the end of the path' : `'${String.fromCodePoint(text.codePointAt(at) ?? 0)}'`;
  return { message: `expected ${expected}, found ${came}`, column: at + 1 };
}

/** What the grammar takes after a token of a rule. */
function expectedAfter(previous: IToken | undefined, rule: string | undefined): string {
  if (previous === undefined) return 'the name of a variable';
  if (rule === 'member') return "a member's name after the dot";
  if (rule === 'index') return previous.tokenType === Integer ? "']' after the index" : "an index after '['";
  return "'.' or '['";
}
