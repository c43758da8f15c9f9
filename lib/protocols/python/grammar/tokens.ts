// The tokens of the language and its lexer; every character belongs to some token, so lexing cannot fail.
import { atFirstUse, createToken, LEXER_OPTIONS, Lexer, type TokenType } from '../../../../grammar/chevrotain.js';

const abstract = (name: string) => createToken({ name, pattern: Lexer.NA });

/** Operators that stand before their operand. */
export const PrefixOperator = abstract('PrefixOperator');
/** Operators of one word or sign that stand between operands. */
export const InfixOperator = abstract('InfixOperator');
/** Words and signs of Python that the command language leaves out. */
export const Refused = abstract('Refused');
/** Text that is no Python token. The indentation pass reports it, so the parser never sees it. */
export const Malformed = abstract('Malformed');

export const Name = createToken({ name: 'Name', pattern: /[A-Za-z_]\w*/ });

const keywords = new Map<string, TokenType>();
function keyword(word: string, ...categories: TokenType[]): TokenType {
  const name = `${word[0]?.toUpperCase()}${word.slice(1)}`;
  const token = createToken({ name, pattern: word, longer_alt: Name, categories });
  keywords.set(word, token);
  return token;
}

export const If = keyword('if');
export const Elif = keyword('elif');
export const Else = keyword('else');
export const For = keyword('for');
export const While = keyword('while');
export const Break = keyword('break');
export const Continue = keyword('continue');
export const Pass = keyword('pass');
export const Import = keyword('import');
export const From = keyword('from');
export const As = keyword('as');
export const Def = keyword('def');
export const Class = keyword('class');
export const Return = keyword('return');
export const Global = keyword('global');
export const With = keyword('with');
export const Try = keyword('try');
export const Except = keyword('except');
export const Finally = keyword('finally');
export const Raise = keyword('raise');
export const Assert = keyword('assert');
export const Del = keyword('del');
export const True = keyword('True');
export const False = keyword('False');
export const None = keyword('None');
export const Not = keyword('not', PrefixOperator);
keyword('and', InfixOperator);
keyword('or', InfixOperator);
export const In = keyword('in', InfixOperator);
export const Is = keyword('is');

const refusedWords = 'lambda async await yield nonlocal';
for (const word of refusedWords.split(' ')) keyword(word, Refused);

/** The words that cannot be names. */
export const keywordWords: ReadonlySet<string> = new Set(keywords.keys());

/** A string with its prefix and quotes; the pattern is unrolled, so that a long text causes no backtracking. */
export const StringLiteral = createToken({
  name: 'StringLiteral',
  pattern:
    /(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?(?:"""[^"\\]*(?:(?:\\[\s\S]|"(?!""))[^"\\]*)*"""|'''[^'\\]*(?:(?:\\[\s\S]|'(?!''))[^'\\]*)*'''|"(?!"")[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"|'(?!'')[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*')/,
  line_breaks: true,
});

/** An opening quote whose string never ends: the rest of the text for triple quotes, the rest of the line for others. */
export const UnterminatedString = createToken({
  name: 'UnterminatedString',
  pattern: /(?:[rR][bBfF]?|[bBfF][rR]?|[uU])?(?:"""[\s\S]*|'''[\s\S]*|"[^\n]*|'[^\n]*)/,
  line_breaks: true,
  categories: Malformed,
});

export const Float = createToken({
  name: 'Float',
  pattern:
    /(?:(?:\d(?:_?\d)*)?\.\d(?:_?\d)*(?:[eE][+-]?\d(?:_?\d)*)?|\d(?:_?\d)*(?:\.(?:[eE][+-]?\d(?:_?\d)*)?|[eE][+-]?\d(?:_?\d)*))(?!\w)/,
});
export const Integer = createToken({
  name: 'Integer',
  pattern: /(?:0[xX](?:_?[\da-fA-F])+|0[oO](?:_?[0-7])+|0[bB](?:_?[01])+|(?:0(?:_?0)*|[1-9](?:_?\d)*)(?!\.))(?!\w)/,
});
/** Digits that make no number; the lexer tries this after the two kinds of number. */
export const MalformedNumber = createToken({ name: 'MalformedNumber', pattern: /\.?\d[\w.]*/, categories: Malformed });

export const AugmentedAssign = createToken({ name: 'AugmentedAssign', pattern: /(?:\*\*|\/\/|<<|>>|[-+*/%&|^])=/ });
export const Sign = createToken({ name: 'Sign', pattern: /[+-]/, categories: [PrefixOperator, InfixOperator] });
export const Tilde = createToken({ name: 'Tilde', pattern: '~', categories: PrefixOperator });
export const DoubleStar = createToken({ name: 'DoubleStar', pattern: '**', categories: InfixOperator });
export const Star = createToken({ name: 'Star', pattern: '*', categories: InfixOperator });
const OtherOperator = createToken({
  name: 'OtherOperator',
  pattern: /\/\/|<<|>>|<=|>=|==|!=|[/%&|^<>]/,
  categories: InfixOperator,
});
export const Assign = createToken({ name: 'Assign', pattern: '=' });
const Walrus = createToken({ name: 'Walrus', pattern: ':=', categories: Refused });
export const At = createToken({ name: 'At', pattern: '@', categories: Refused });
export const Colon = createToken({ name: 'Colon', pattern: ':' });
export const Semicolon = createToken({ name: 'Semicolon', pattern: ';' });
export const Comma = createToken({ name: 'Comma', pattern: ',' });
export const Dot = createToken({ name: 'Dot', pattern: '.' });
export const LeftParenthesis = createToken({ name: 'LeftParenthesis', pattern: '(' });
export const RightParenthesis = createToken({ name: 'RightParenthesis', pattern: ')' });
export const LeftBracket = createToken({ name: 'LeftBracket', pattern: '[' });
export const RightBracket = createToken({ name: 'RightBracket', pattern: ']' });
export const LeftBrace = createToken({ name: 'LeftBrace', pattern: '{' });
export const RightBrace = createToken({ name: 'RightBrace', pattern: '}' });

export const Newline = createToken({ name: 'Newline', pattern: '\n', line_breaks: true });
const Blank = createToken({ name: 'Blank', pattern: /[ \t\f\r]+/, group: Lexer.SKIPPED });
const Comment = createToken({ name: 'Comment', pattern: /#[^\n]*/, group: Lexer.SKIPPED });
/** A backslash joins lines only when a line follows. */
const LineContinuation = createToken({
  name: 'LineContinuation',
  pattern: /\\\r*\n(?=[\s\S])/,
  group: Lexer.SKIPPED,
  line_breaks: true,
});
export const StrayBackslash = createToken({ name: 'StrayBackslash', pattern: '\\', categories: Malformed });
/** ASCII signs that Python does not use; no rule takes them, so the parser points at them. */
const StraySign = createToken({ name: 'StraySign', pattern: /[!$?`]/ });
export const InvalidCharacter = createToken({
  name: 'InvalidCharacter',
  pattern: /[\x00-\x08\x0b\x0e-\x1f\x7f-\uffff]+/,
  categories: Malformed,
  line_breaks: false,
});

/** The indentation pass inserts these; no text matches them. */
export const Indent = abstract('Indent');
export const Dedent = abstract('Dedent');

/** In the order in which the lexer tries them: a longer token comes before one that it begins with. */
export const tokenTypes: TokenType[] = [
  Blank,
  Newline,
  StringLiteral,
  UnterminatedString,
  // Longer words first: the `as` of `assert` must not come before the whole word.
  ...[...keywords.values()].sort((a, b) => b.name.length - a.name.length),
  Name,
  Float,
  Integer,
  MalformedNumber,
  AugmentedAssign,
  Sign,
  Tilde,
  DoubleStar,
  Star,
  OtherOperator,
  Assign,
  Walrus,
  At,
  Colon,
  Semicolon,
  Comma,
  Dot,
  LeftParenthesis,
  RightParenthesis,
  LeftBracket,
  RightBracket,
  LeftBrace,
  RightBrace,
  Comment,
  LineContinuation,
  StrayBackslash,
  StraySign,
  InvalidCharacter,
  Indent,
  Dedent,
  PrefixOperator,
  InfixOperator,
  Refused,
  Malformed,
];

export const lexer = atFirstUse(() => new Lexer(tokenTypes, LEXER_OPTIONS));
