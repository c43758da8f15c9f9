// Name patterns: what fits, and what they cost.
import { expect } from 'chai';
import fc from 'fast-check';
import { Glob } from './glob.js';
import { leavingOut } from './path-filter.js';

const fits = (pattern: string, text: string): boolean => new Glob(pattern).fits(text);

describe('a name with wildcards', () => {
  const cases: readonly [pattern: string, text: string, isFit: boolean][] = [
    ['*', '', true],
    ['ball.*', 'ball.position', true],
    ['ball.*', 'balls', false],
    ['*[?].gain', 'a.sensors[1].gain', true],
    ['*[?].gain', 'a.sensors[12].gain', false],
    ['a*b*c', 'axxbxxbc', true],
    ['a*b*c', 'axxbxxb', false],
    ['', 'a', false],
    ['a', 'ab', false],
  ];
  for (const [pattern, text, isFit] of cases)
    it(`${pattern} ${isFit ? 'fits' : 'does not fit'} ${text}`, () => expect(fits(pattern, text)).to.equal(isFit));

  it('fits what a regular expression does, however long it is', () =>
    fc.assert(
      fc.property(
        fc.nat(70),
        fc.string({ unit: fc.constantFrom('*', '?', 'a', 'b') }),
        fc.string({ unit: fc.constantFrom('a', 'b') }),
        (before, rest, name) => {
          const pattern = 'a'.repeat(before) + rest;
          const text = 'a'.repeat(before) + name;
          const expression = new RegExp(`^${pattern.replaceAll('?', '.').replace(/\*+/g, '.*')}$`);
          expect(fits(pattern, text)).to.equal(expression.test(text));
        },
      ),
    ));

  it('leaves out what lies below a path that fits', () => {
    const isLeftOut = leavingOut(['a*b', 'c']);
    const paths = ['axb', 'axb.m', 'axb[1].m', 'axbx', 'axbx.b', 'c.m', 'cc', 'c', 'd.c'];
    expect(paths.filter(isLeftOut)).to.deep.equal(['axb', 'axb.m', 'axb[1].m', 'axbx.b', 'c.m', 'c']);
  });
});
