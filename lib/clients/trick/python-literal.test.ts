// Values as the command language spells them.
import { expect } from 'chai';
import { isPath, literal, quote } from './python-literal.js';

describe('literal', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [5, '5'],
    [-0, '-0.0'],
    [1e21, '1e+21'],
    [Number.NaN, 'float("nan")'],
    [Number.NEGATIVE_INFINITY, 'float("-inf")'],
    [-9007199254740993n, '-9007199254740993'],
    [true, 'True'],
    [false, 'False'],
    ['say "hi" \\ bye', '"say \\"hi\\" \\\\ bye"'],
    ['tab\t nl\n cr\r bell\x07 é', '"tab\\t nl\\n cr\\r bell\\x07 é"'],
    [[[1, 2], [3.5]], '[[1, 2], [3.5]]'],
  ];
  for (const [value, text] of cases) {
    it(`spells ${text}`, () => {
      expect(literal(value as number)).to.equal(text);
    });
  }

  it('refuses a NUL', () => {
    expect(() => quote('a\0b')).to.throw(TypeError, 'NUL');
  });
});

describe('isPath', () => {
  it('takes members and indices and nothing that could run', () => {
    for (const name of ['x', 'fx.all.d23[1][2]', 'a_1.b2']) expect(isPath(name), name).to.equal(true);
    for (const name of ['', '1x', 'a.', 'a[b]', 'a b', 'a\nb', 'f()', 'a;b', 'a=1'])
      expect(isPath(name), name).to.equal(false);
  });
});
