// The tokens of checkpoints. Trick: trick_source/sim_services/CheckPointAgent/input_parser.l
import { createToken, type IToken, Lexer, type TokenType } from '../chevrotain.js';

/**
 * `FlightPhase`, `std::string`, `std::pair<int, double>`. What is between angle brackets is bounded, so that many brackets
 * that never close are not each looked for to the end.
 */
export const Name = createToken({
  name: 'Name',
  pattern: /[A-Za-z_]\w*(?:<[^;="'{}]{0,1000}>)?(?:::[A-Za-z_]\w*(?:<[^;="'{}]{0,1000}>)?)*/,
});
export const NumberToken = createToken({
  name: 'Number',
  pattern:
    /[-+]?(?:0[xX][0-9a-fA-F]+|0[gG][0-9a-fA-F]{16}|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?:inf|nan|INF|NAN)(?!\w))/,
});
/** The pattern loops without alternatives, so that a long text takes no stack. */
export const Text = createToken({
  name: 'Text',
  pattern: /L?"[^"\\]*(?:\\[\s\S][^"\\]*)*"/,
  line_breaks: true,
});
export const Character = createToken({
  name: 'Character',
  pattern: /'(?:[^'\\]|\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[^x0-7]))'/,
  line_breaks: true,
});
/** Trick writes this sentence in place of a value that it cannot save. */
export const Unsaved = createToken({ name: 'Unsaved', pattern: /ERROR(?::| -)[^;,}]*/, line_breaks: true });
/** How many values a pointer points at. Trick's pointers have no count: Trick reads this as a comment. */
export const Count = createToken({ name: 'Count', pattern: /\/\*count \d{1,9}\*\// });
export const Plus = createToken({ name: 'Plus', pattern: '+' });
export const Equals = createToken({ name: 'Equals', pattern: '=' });
export const Semicolon = createToken({ name: 'Semicolon', pattern: ';' });
export const Comma = createToken({ name: 'Comma', pattern: ',' });
export const Dot = createToken({ name: 'Dot', pattern: '.' });
export const Ampersand = createToken({ name: 'Ampersand', pattern: '&' });
export const Star = createToken({ name: 'Star', pattern: '*' });
export const LeftBrace = createToken({ name: 'LeftBrace', pattern: '{' });
export const RightBrace = createToken({ name: 'RightBrace', pattern: '}' });
export const LeftBracket = createToken({ name: 'LeftBracket', pattern: '[' });
export const RightBracket = createToken({ name: 'RightBracket', pattern: ']' });
export const LeftParenthesis = createToken({ name: 'LeftParenthesis', pattern: '(' });
export const RightParenthesis = createToken({ name: 'RightParenthesis', pattern: ')' });
/** A list that has been read already. */
export const LongList = createToken({ name: 'LongList', pattern: Lexer.NA });
const Blank = createToken({ name: 'Blank', pattern: /[ \t\r\n\f\v]+/, group: Lexer.SKIPPED, line_breaks: true });
const Comment = createToken({
  name: 'Comment',
  pattern: /\/\/[^\n]*|\/\*[\s\S]*?\*\//,
  group: Lexer.SKIPPED,
  line_breaks: true,
});
/** What never ends takes the rest, in which no other end is looked for. */
const Unterminated = createToken({ name: 'Unterminated', pattern: /(?:L?"|\/\*)[\s\S]*/, line_breaks: true });
/** Every other character, so that lexing cannot fail and the parser points at it. */
const Other = createToken({ name: 'Other', pattern: /[\x00-\uffff]/, line_breaks: true });

/** Longer tokens before those that they begin with. */
export const tokenTypes: TokenType[] = [
  Blank,
  Count,
  Comment,
  Text,
  Unterminated,
  Unsaved,
  NumberToken,
  Name,
  Character,
  Equals,
  Semicolon,
  Comma,
  Dot,
  Ampersand,
  Star,
  LeftBrace,
  RightBrace,
  LeftBracket,
  RightBracket,
  LeftParenthesis,
  RightParenthesis,
  Plus,
  Other,
  LongList,
];

/** What was found instead of something else, as a sentence has it: of what never ends, its first character. */
export const found = ({ image, tokenType }: IToken): string =>
  JSON.stringify(image.slice(0, tokenType === Unterminated ? 1 : 40));
