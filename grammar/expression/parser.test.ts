import { expect } from 'chai';
import fc from 'fast-check';
import { parseExpression } from './parser.js';
import type { ExpressionTree } from './tree.js';

/** The tree in brackets. */
function shown(tree: ExpressionTree): string {
  if (tree.kind === 'number') return `${tree.value}${tree.units === undefined ? '' : `{${tree.units}}`}`;
  if (tree.kind === 'variable') return tree.path;
  if (tree.kind === 'negative') return `(-${shown(tree.of)})`;
  if (tree.kind === 'call') return `${tree.name}[${tree.given.map(shown).join(' ')}]`;
  return `(${shown(tree.left)} ${tree.operator} ${shown(tree.right)})`;
}

function parsed(text: string): string {
  const found = parseExpression(text);
  return 'tree' in found ? shown(found.tree) : found.problem;
}

describe('expressions over variables', () => {
  it('bind as everywhere', () => {
    expect(parsed('sqrt(a.x[0]^2 + a.x[1]**2)')).to.equal('sqrt[((a.x[0] ^ 2) + (a.x[1] ^ 2))]');
    expect(parsed('1 - 2 - 3*4/5')).to.equal('((1 - 2) - ((3 * 4) / 5))');
    expect(parsed('-x^2')).to.equal('(-(x ^ 2))');
    expect(parsed('2^-x^y')).to.equal('(2 ^ (-(x ^ y)))');
    expect(parsed('d/dt(x) + 5 { m/s }*mean(x, 0.5)')).to.equal('(d/dt[x] + (5{m/s} * mean[x 0.5]))');
    expect(parsed('d/dt')).to.equal('(d / dt)');
  });

  it('say what is wrong, and where', () => {
    expect(parsed('')).to.equal('expected a number, a variable, a function or "(", found the end at column 1');
    expect(parsed('x +')).to.equal('expected a number, a variable, a function or "(", found the end at column 4');
    expect(parsed('(x')).to.equal('expected ")", found the end at column 3');
    expect(parsed('x y')).to.equal('expected an operator or the end, found "y" at column 3');
    expect(parsed('x ; y')).to.equal('";" belongs nowhere, at column 3');
    expect(parsed('('.repeat(40))).to.include('at most 32 deep');
    expect(parsed('-'.repeat(400))).to.include('at most 32 deep');
    expect(parsed('x'.repeat(501))).to.equal('expected at most 500 characters, found 501');
  });

  it('never throw', () => {
    const pieces = [
      'x',
      'y[1]',
      '.',
      '(',
      ')',
      '+',
      '-',
      '^',
      '**',
      '/',
      'd/dt(',
      '3',
      '{m}',
      ',',
      'sqrt(',
      ' ',
      '=',
      '"',
    ];
    fc.assert(fc.property(fc.array(fc.constantFrom(...pieces)), (some) => void parsed(some.join(''))));
    fc.assert(fc.property(fc.string(), (text) => void parsed(text)));
  });
});
