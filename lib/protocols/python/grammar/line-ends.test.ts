// A block parsed piece by piece gives what it gives as a whole.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../../testing/aids/run-counts.js';
import { parseBlockInPieces, parseUncached } from './index.js';
import { lineEnds } from './line-ends.js';
import { lexer, Malformed } from './tokens.js';

const words = "x = 1 ( ) [ ] \" ' \"\"\" ''' \\ \n # f\" r' b\" \\\n \r \\\r\n {a} \"a\\\n\" '''a\n'''".split(' ');
const soup = fc
  .array(fc.constantFrom(...words, ' ', '\n'), { maxLength: 40 })
  .map((parts) => parts.join(''))
  .map((text) => `${text}\n`);

const tokensOf = (text: string) => lexer().tokenize(text).tokens;
const isMalformed = (text: string): boolean =>
  tokensOf(text).some(({ tokenType }) => tokenType.CATEGORIES?.includes(Malformed));

/** A text of more tokens than are parsed at once. */
const LONG = 'if x:\n  y = 1\nelif y: z = 2\nelse:\n  for k in x: pass\nx = [1, 2, 3]\n'.repeat(60);

describe('a block in pieces', () => {
  it('is cut only where no text, comment or joined line goes on', () => {
    fc.assert(
      fc.property(soup, (text) => {
        fc.pre(!isMalformed(text));
        const cuts = [...lineEnds(text, Number.POSITIVE_INFINITY), text.length];
        const pieces = cuts.map((end, index) => text.slice(cuts[index - 1] ?? 0, end));
        const images = pieces.flatMap(tokensOf).map(({ image }) => image);
        expect(images).to.deep.equal(tokensOf(text).map(({ image }) => image));
      }),
      { numRuns: runs(3000) },
    );
  });

  it('gives one tree, with places in the whole block', () => {
    const { tree } = parseUncached(`${LONG}last = 5\n`);
    expect(tree?.body).to.have.length(2 * 60 + 1);
    expect(tree?.body.at(-1)).to.have.property('at', LONG.length);
    expect(tree?.body[2]).to.have.property('at', LONG.length / 60);
  });

  for (const wrong of [
    'x = = 2\n',
    'if x:\ny = 1\n',
    'else: pass\n',
    '  x = 1\n',
    'x = (1,\n',
    '@x\ndef f(): pass\n',
    'break\n',
    'print "a"\n',
    'x = "abc\n',
    'f(a b)\n',
    'x = f"{a b}"\n',
  ]) {
    it(`gives the error of ${JSON.stringify(wrong)} alone, so many lines further down`, () => {
      const alone = parseUncached(wrong).error;
      const below = parseUncached(LONG + wrong).error;
      const lines = LONG.split('\n').length - 1;
      const message = alone?.message.replace(/line (\d+)/, (_, line) => `line ${Number(line) + lines}`);
      expect(below).to.deep.equal({ ...alone, message, line: (alone?.line ?? 0) + lines });
    });
  }

  it('is parsed in many steps when it is long', () => {
    const steps = [...parseBlockInPieces(LONG.repeat(10), 10_000)].length;
    expect(steps).to.be.greaterThan(30);
  });

  it('tells in each step how many characters have become tokens; simple lines have none', () => {
    const told = (text: string): number => [...parseBlockInPieces(text, 10_000)].reduce((sum, one) => sum + one, 0);
    const text = LONG.repeat(20);
    expect(told(text)).to.be.within(text.length - 4096, text.length);
    expect(told('trick.var_add("a.b[3]")\n'.repeat(3000))).to.equal(0);
  });

  it('has a bound on lines and on statements', () => {
    const problem = (text: string): string | undefined => {
      const parsing = parseBlockInPieces(text, 1000);
      for (;;) {
        const step = parsing.next();
        if (step.done) return step.value.error?.message;
      }
    };
    expect(problem(`x = [${'1, '.repeat(1000)}]\n`)).to.equal('a line is limited to 1000 words and signs');
    expect(problem(`x = [${'1,\n'.repeat(1000)}]\n`)).to.equal('a statement is limited to 1000 words and signs');
    expect(problem(`if x:\n${'  y = 1\n'.repeat(1000)}`)).to.equal('a statement is limited to 1000 words and signs');
    expect(problem(`x = f"${'{x}'.repeat(1001)}"\n`)).to.equal('a line is limited to 1000 words and signs');
    expect(problem('x = 1\n'.repeat(1000))).to.equal(undefined);
    expect(problem(`x = "${'text of many words '.repeat(1000)}"\n`)).to.equal(undefined);
  });
});
