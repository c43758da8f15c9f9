// Any text whatever parses or gives an error, within the limits.
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../../testing/aids/any-character.js';
import { runs } from '../../../testing/aids/run-counts.js';
import { parseUncached } from './index.js';
import { maxExpressionDepth, maxNesting } from './limits.js';

const words =
  'trick var_add ( ) [ ] { } " \' """ \\ \n \t : ; , . = == += -> := ** * - not in is and or if elif else for while def return import from as lambda class print f" {a} 1 0x 1.5 1e 0b2 \r # € 😀 \0 r" b"'.split(
    ' ',
  );
const soup = fc.array(fc.constantFrom(...words, ' ', '  ', '\n'), { maxLength: 40 }).map((parts) => parts.join(''));
const glued = fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' '));

const valid =
  'if a.b[1] < 2 and not c:\n    trick.var_set("x", f"{n:.3f}", units="m")\nelse:\n    for k in range(3): x += -k ** 2\n';
const mutated = fc
  .tuple(fc.nat(valid.length), fc.nat(4), fc.constantFrom(...words, ' ', ''))
  .map(([at, cut, word]) => valid.slice(0, at) + word + valid.slice(at + cut));

/** A result is a tree or an error that points into the text. */
function expectAnswer(text: string): void {
  const { tree, error } = parseUncached(text);
  if (error === undefined) {
    expect(tree.kind).to.equal('block');
    return;
  }
  expect(error.message).to.not.equal('');
  expect(error.line).to.be.within(1, text.split('\n').length);
  expect(error.column).to.be.within(1, error.lineText.length + 1);
}

/** What Trick reads at once at most, in bytes. */
const longestTrickBlock = 200_000;

const messageOf = (text: string) => parseUncached(text).error?.message;

describe('the command parser, given anything,', () => {
  it('answers random text with a tree or a placed error', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), expectAnswer));
    fc.assert(fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), expectAnswer));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => expectAnswer(Buffer.from(bytes).toString('latin1'))),
    );
  });

  it('answers token soup and damaged commands', () => {
    for (const source of [soup, glued, mutated]) fc.assert(fc.property(source, expectAnswer), { numRuns: runs(1000) });
  });

  it('parses a good block as before after any bad one', () => {
    const expected = parseUncached(valid);
    expect(expected.error).to.equal(undefined);
    fc.assert(
      fc.property(soup, (text) => {
        parseUncached(text);
        expect(parseUncached(valid)).to.deep.equal(expected);
      }),
    );
  });

  it('allows brackets as deep as its limit and no deeper', () => {
    const nested = (depth: number) => `x = ${'['.repeat(depth)}${']'.repeat(depth)}\n`;
    expect(messageOf(nested(maxNesting))).to.equal(undefined);
    expect(messageOf(nested(maxNesting + 1))).to.equal('too many nested parentheses');
    for (const bracket of '([{') expect(messageOf(bracket.repeat(10_000))).to.equal('too many nested parentheses');
  });

  it('refuses deep indentation', () => {
    const lines = Array.from({ length: 200 }, (_, depth) => `${' '.repeat(depth)}if a:\n`).join('');
    expect(messageOf(lines)).to.equal('too many levels of indentation');
  });

  const tooDeep = `expression with more than ${maxExpressionDepth} nested operations`;
  const chains: Record<string, string> = {
    'minus signs': `x = ${'-'.repeat(10_000)}1\n`,
    nots: `x = ${'not '.repeat(10_000)}1\n`,
    sums: `x = ${'1 + '.repeat(10_000)}1\n`,
    powers: `x = ${'2 ** '.repeat(10_000)}1\n`,
    conditions: `x = ${'1 if a else '.repeat(10_000)}1\n`,
    attributes: `x = a${'.b'.repeat(10_000)}\n`,
    calls: `a${'()'.repeat(10_000)}\n`,
  };
  for (const [title, text] of Object.entries(chains)) {
    it(`refuses ten thousand ${title} in one expression`, () => expect(messageOf(text)).to.equal(tooDeep));
  }

  it('refuses the same inside a field of an f-string', () => {
    expect(messageOf(`x = f"{a${'.b'.repeat(10_000)}}"\n`)).to.equal(`f-string: ${tooDeep}`);
  });

  it('takes long flat lists, calls and blocks', () => {
    expect(messageOf(`x = [${'1, '.repeat(10_000)}]\n`)).to.equal(undefined);
    expect(messageOf(`f(${'"a", '.repeat(10_000)})\n`)).to.equal(undefined);
    expect(messageOf('x = 1\n'.repeat(2000))).to.equal(undefined);
    expect(messageOf(`if a: b\n${'elif a: b\n'.repeat(2000)}`)).to.equal(undefined);
  });

  it('limits decimal integers as Python does', () => {
    expect(messageOf(`x = ${'9'.repeat(4300)}\n`)).to.equal(undefined);
    expect(messageOf(`x = ${'9'.repeat(100_000)}\n`)).to.equal(
      'Exceeds the limit (4300 digits) for integer string conversion: value has 100000 digits',
    );
  });

  it('answers a megabyte that starts a string, a bracket or nothing at all', () => {
    for (const unit of ['"', '(', '€', 'a ']) expectAnswer(unit.repeat(1e6 / unit.length));
  });

  it('answers long garbage of any kind', () => {
    for (const unit of [
      '"',
      "'",
      '"""',
      '\\',
      '(',
      ')',
      '$',
      '€',
      '.',
      '1',
      '1_',
      '_a',
      '#',
      ' ',
      '\t',
      '\n ',
      'f"{',
      'a ',
      '\\\n',
      "r'",
      '0x',
      'a.',
      '-',
      '"\\"',
    ]) {
      expectAnswer(unit.repeat(Math.ceil(longestTrickBlock / unit.length)));
    }
  });
});
