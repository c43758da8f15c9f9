// Syntax errors, place by place and word by word as Python prints them.
import { expect } from 'chai';
import { parseUncached, printedPieces } from './index.js';

function errorOf(text: string) {
  const { error } = parseUncached(text);
  if (error === undefined) throw new Error(`${JSON.stringify(text)} parses`);
  return error;
}

/** Text, then line, column and message as Python 3.11 gives them. */
const pythonErrors: [string, number, number, string][] = [
  ['trick.var_exists("a"\n', 1, 17, "'(' was never closed"],
  ['x = [1, 2\ny = 3\n', 1, 5, "'[' was never closed"],
  ['trick.var_exists("fx.all.i)\n', 1, 18, 'unterminated string literal (detected at line 1)'],
  ['x = """abc\n\n', 1, 5, 'unterminated triple-quoted string literal (detected at line 2)'],
  ['x)\n', 1, 2, "unmatched ')'"],
  ['(x]\n', 1, 3, "closing parenthesis ']' does not match opening parenthesis '('"],
  ['(\nx]\n', 2, 2, "closing parenthesis ']' does not match opening parenthesis '(' on line 1"],
  ['  x\n', 1, 2, 'unexpected indent'],
  ['if x:\n  a\n    b\n', 3, 4, 'unexpected indent'],
  ['if x:\n    a\n  b\n', 3, 4, 'unindent does not match any outer indentation level'],
  ['if x:\npass\n', 2, 1, "expected an indented block after 'if' statement on line 1"],
  ['if a:\n  pass\nelse:\nx\n', 4, 1, "expected an indented block after 'else' statement on line 3"],
  ['def f():\n\n# c\nx\n', 4, 1, 'expected an indented block after function definition on line 1'],
  ['for k in a:\n', 1, 12, "expected an indented block after 'for' statement on line 1"],
  ['a()\nnonsense here\n', 2, 10, 'invalid syntax'],
  ['x = \n', 1, 5, 'invalid syntax'],
  ['a + not b\n', 1, 5, 'invalid syntax'],
  ['x = $\n', 1, 5, 'invalid syntax'],
  ['if x\n  pass\n', 1, 5, "expected ':'"],
  ['if x = 3:\n  pass\n', 1, 4, "invalid syntax. Maybe you meant '==' or ':=' instead of '='?"],
  ['print "ACTION0"\n', 1, 1, "Missing parentheses in call to 'print'. Did you mean print(...)?"],
  ['f(a b)\n', 1, 3, 'invalid syntax. Perhaps you forgot a comma?'],
  ['f(x=1, 2)\n', 1, 9, 'positional argument follows keyword argument'],
  ['f(x=1, x=2)\n', 1, 8, 'keyword argument repeated: x'],
  ['f(1=2)\n', 1, 3, 'expression cannot contain assignment, perhaps you meant "=="?'],
  ['1 = x\n', 1, 1, "cannot assign to literal here. Maybe you meant '==' instead of '='?"],
  ['f() = 1\n', 1, 1, "cannot assign to function call here. Maybe you meant '==' instead of '='?"],
  ['True = 1\n', 1, 1, 'cannot assign to True'],
  ['a < b = 1\n', 1, 1, 'cannot assign to comparison'],
  ['f(x) += 1\n', 1, 1, "'function call' is an illegal expression for augmented assignment"],
  ['return 1\n', 1, 1, "'return' outside function"],
  ['break\n', 1, 1, "'break' outside loop"],
  ['for k in a:\n  def f(): continue\n', 2, 12, "'continue' not properly in loop"],
  ['def f(a=1, b): pass\n', 1, 12, 'non-default argument follows default argument'],
  ['def f(a, a): pass\n', 1, 10, "duplicate argument 'a' in function definition"],
  ['x = 5a\n', 1, 5, 'invalid decimal literal'],
  [
    'x = 0123\n',
    1,
    5,
    'leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers',
  ],
  ['x = €\n', 1, 5, "invalid character '€' (U+20AC)"],
  ['x \\ y\n', 1, 4, 'unexpected character after line continuation character'],
  ['x \\\n', 1, 4, 'unexpected EOF while parsing'],
  ['from a import b,\n', 1, 16, 'trailing comma not allowed without surrounding parentheses'],
  ['try:\n  pass\nx = 1\n', 3, 1, "expected 'except' or 'finally' block"],
  ['try:\n  pass\nexcept:\n  pass\nexcept NameError:\n  pass\n', 3, 1, "default 'except:' must be last"],
  ['try:\npass\n', 2, 1, "expected an indented block after 'try' statement on line 1"],
  ['try: pass\nexcept NameError:\npass\n', 3, 1, "expected an indented block after 'except' statement on line 2"],
  ['class A:\nx = 1\n', 2, 1, 'expected an indented block after class definition on line 1'],
  ['def f():\n  class A:\n    return 1\n', 3, 5, "'return' outside function"],
  ['for k in a:\n  class A:\n    break\n', 3, 5, "'break' outside loop"],
  ['try: pass\nfinally:\npass\n', 3, 1, "expected an indented block after 'finally' statement on line 2"],
  ['[x, y for x in z]\n', 1, 2, 'did you forget parentheses around the comprehension target?'],
  ['f(x for x in z, 1)\n', 1, 3, 'Generator expression must be parenthesized'],
  ['del f()\n', 1, 5, 'cannot delete function call'],
  ['del 1\n', 1, 5, 'cannot delete literal'],
];

const refusals: [string, string][] = [
  ['x = lambda: 1', 'lambda is not part of the command language'],
  ['async def f(): pass', 'async is not part of the command language'],
  ['yield 1', 'yield is not part of the command language'],
  ['(x for x in y)', 'a comprehension that makes no list is not part of the command language'],
  ['{x: 1 for x in y}', 'a comprehension that makes no list is not part of the command language'],
  ['@f', 'a decorator is not part of the command language'],
  ['f(*a)', 'a starred argument is not part of the command language'],
  ['f(1, **a)', 'a starred argument is not part of the command language'],
  ['def f(*a): pass', 'a starred argument is not part of the command language'],
  ['(x := 1)', "':=' is not part of the command language"],
  ['for k in a: pass\nelse: pass', 'else after a for loop is not part of the command language'],
  ['while a: pass\nelse: pass', 'else after a while loop is not part of the command language'],
  ['x = 3j', 'a complex number is not part of the command language'],
  ['"\\N{DASH}"', '\\N{...} is not part of the command language; write \\uXXXX'],
  ['f"{a:{b}}"', 'f-string: a field inside a format is not part of the command language'],
];

const formattedErrors: [string, string][] = [
  ['f"{a"', "f-string: expecting '}'"],
  ['f"{}"', 'f-string: empty expression not allowed'],
  ['f"}"', "f-string: single '}' is not allowed"],
  ['f"{a b}"', 'f-string: invalid syntax'],
  ['f"{a!x}"', "f-string: invalid conversion character: expected 's', 'r', or 'a'"],
  ['f"{a\\n}"', 'f-string: expression part cannot include a backslash'],
  ['f"{(a}"', "f-string: expecting '}'"],
  ['b"a" "c"', 'cannot mix bytes and nonbytes literals'],
  ['b"é"', 'bytes can only contain ASCII literal characters'],
  ['"\\x4"', "(unicode error) 'unicodeescape' codec can't decode bytes in position 0-2: truncated \\xXX escape"],
];

describe('a block that does not parse', () => {
  it('is told in the words of Python, with line and column', () => {
    for (const [text, line, column, message] of pythonErrors) {
      expect(errorOf(text), text).to.include({ line, column, message });
    }
  });

  it('is told when it uses a part of Python that is left out', () => {
    for (const [text, message] of refusals) expect(errorOf(`${text}\n`).message).to.equal(message);
  });

  it('is told what is wrong inside a string', () => {
    for (const [text, message] of formattedErrors) expect(errorOf(`${text}\n`).message).to.equal(message);
  });

  it('has the error type that Python gives it', () => {
    expect(errorOf('x y\n').type).to.equal('SyntaxError');
    expect(errorOf(' x\n').type).to.equal('IndentationError');
    expect(errorOf('if x:\n\ta\n        b\n').type).to.equal('TabError');
  });

  it('tells a worse error first', () => {
    expect(errorOf('return 1\na b\n').message).to.equal('invalid syntax');
    expect(errorOf('a b\nx = "\n').message).to.equal('unterminated string literal (detected at line 2)');
  });

  it('counts columns in characters', () => {
    expect(errorOf('"😀" b\n')).to.include({ column: 5, caretText: '    ^' });
  });
});

describe('a syntax error in print', () => {
  it('has the four pieces that Trick redirects', () => {
    expect(printedPieces(errorOf('trick.var_exists("fx.all.i"\n'))).to.deep.equal([
      '  File "<string>", line 1\n',
      '    trick.var_exists("fx.all.i"\n',
      '                    ^\n',
      "SyntaxError: '(' was never closed\n",
    ]);
  });

  it('loses its indentation and keeps the carets under the place', () => {
    expect(printedPieces(errorOf('if x:\n    print "a"\n')).join('')).to.equal(
      '  File "<string>", line 2\n    print "a"\n    ^^^^^^^^^\n' +
        "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?\n",
    );
  });

  it('has no carets when the place is the indentation', () => {
    expect(printedPieces(errorOf('  x = 1\n')).join('')).to.equal(
      '  File "<string>", line 1\n    x = 1\nIndentationError: unexpected indent\n',
    );
  });
});
