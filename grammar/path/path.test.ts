// Variable paths parsed, in every spelling.
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../lib/testing/aids/any-character.js';
import { runs } from '../../lib/testing/aids/run-counts.js';
import { formatPath, type PathStep, parsePath } from './index.js';
import { parseWithGrammar } from './path-parser.js';

const member = (name: string): PathStep => ({ kind: 'member', name });
const index = (value: number): PathStep => ({ kind: 'index', index: value });

const name = fc.stringMatching(/^[A-Za-z_]\w{0,6}$/);
const anyStep = fc.oneof(
  name.map(member),
  fc.nat(99999).map(index),
  fc.nat(20).map((n) => member(String(n))),
);
const anySteps = fc
  .tuple(name.map(member), fc.array(anyStep, { maxLength: 8 }))
  .map(([first, rest]) => [first, ...rest]);
const soup = fc.string({
  unit: fc.constantFrom('a', 'B', '_', '0', '7', '.', '[', ']', '-', ' ', '\t', '$', 'é', '😀'),
});

describe('variable path', () => {
  const accepted: [string, PathStep[]][] = [
    ['time', [member('time')]],
    ['ball.state.position[0]', [member('ball'), member('state'), member('position'), index(0)]],
    ['fx.all.i23[1][2]', [member('fx'), member('all'), member('i23'), index(1), index(2)]],
    [' fx . all.d3 [ 1 ] ', [member('fx'), member('all'), member('d3'), index(1)]],
    ['list[-1].label', [member('list'), index(-1), member('label')]],
    ['list[-0]', [member('list'), index(0)]],
    ['list[007]', [member('list'), index(7)]],
    ['pair.0.1', [member('pair'), member('0'), member('1')]],
  ];
  for (const [text, steps] of accepted) {
    it(`reads ${JSON.stringify(text)}`, () => expect(parsePath(text)).to.deep.equal({ steps }));
  }

  const refused: [string, string, number][] = [
    ['', 'expected the name of a variable, found the end of the path', 1],
    ['  ', 'expected the name of a variable, found the end of the path', 1],
    ['[0]', "expected the name of a variable, found '['", 1],
    ['.a', "expected the name of a variable, found '.'", 1],
    ['5a', "expected the name of a variable, found '5'", 1],
    ['a.', "expected a member's name after the dot, found the end of the path", 3],
    ['a..b', "expected a member's name after the dot, found '.'", 3],
    ['a[', "expected an index after '[', found the end of the path", 3],
    ['a[]', "expected an index after '[', found ']'", 3],
    ['a[i]', "expected an index after '[', found 'i'", 3],
    ['a[1', "expected ']' after the index, found the end of the path", 4],
    ['a[1.5]', "expected ']' after the index, found '.'", 4],
    ['a b', "expected '.' or '[', found 'b'", 3],
    ['a]', "expected '.' or '[', found ']'", 2],
    ['a[1]b', "expected '.' or '[', found 'b'", 5],
    ['a.0x', "expected '.' or '[', found 'x'", 4],
    ['a😀', "expected '.' or '[', found '😀'", 2],
    ['a[99999999999999999999]', 'expected an index below 2^53', 3],
  ];
  for (const [text, message, column] of refused) {
    it(`refuses ${JSON.stringify(text)} and says where`, () => {
      expect(parsePath(text)).to.deep.equal({ error: { message, column } });
    });
  }

  it('formats steps in the normal spelling', () => {
    expect(formatPath([member('a'), member('b'), index(1), member('0'), member('c')])).to.equal('a.b[1].0.c');
  });

  it('reads back what it formats', () => {
    fc.assert(
      fc.property(anySteps, (steps) => {
        expect(parsePath(formatPath(steps))).to.deep.equal({ steps });
      }),
    );
  });

  it('gives the same answer with and without the grammar, and never throws', () => {
    fc.assert(
      fc.property(soup, (text) => {
        expect(parsePath(text)).to.deep.equal(parseWithGrammar(text));
      }),
      {
        numRuns: runs(2000),
      },
    );
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(parsePath(text)).to.deep.equal(parseWithGrammar(text));
      }),
    );
  });
});
