// Long lists: they mean what short ones mean, and nothing is made for a value before it is asked for.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../lib/testing/aids/run-counts.js';
import { type Literal, LongList, lineAt, parseCheckpoint, parsePieces } from './index.js';

/** Longer than a piece of a file. */
const BEFORE = `${'// a comment; { no list\n'.repeat(4000)}a.b = 1;\n`;

const valueIn = (text: string): Literal | undefined => {
  const last = parseCheckpoint(text).statements?.at(-1);
  return last?.kind === 'assignment' ? last.value : undefined;
};

/** A literal with all its items, without the offsets. */
const shown = (literal: Literal | undefined): unknown => {
  if (literal?.kind === 'list') return Array.from(literal.items, shown);
  const { at: _at, ...rest } = literal ?? { at: 0 };
  return rest;
};

const padded = (list: string): string => `${list.slice(0, -1)}${' '.repeat(70_000)}}`;

describe('a long list of a checkpoint', () => {
  const lists = [
    '{1, -2, +3, 0x1f, 1.5e-7, .5, -inf, NAN, inf, 0g3ff0000000000000, 18446744073709551615}',
    "{'A', '\\x0', '\\x9f', '\\377', '\\n', '\\'', ',', '}'}",
    '{"a, }", L"w\\"x", "", NULL, true, false, Trick::Run, std::pair<int>}',
    '{{1, 2}, {}, {{3}, {4, 5}}}',
    '{&a.b[2].c, & x /*count 3*/, &trick_anon_local_0 + 2}',
    '{1 /* one, } */, // two\n 2\n,\t3}',
    '{ERROR: TRICK_WCHAR not fully supported yet., 2}',
    '{}',
  ];
  for (const list of lists) {
    it(`has the items of ${JSON.stringify(list)}`, () => {
      const long = valueIn(`a.b = ${padded(list)};`);
      expect(long?.kind === 'list' && long.items).to.be.instanceOf(LongList);
      expect(shown(long)).to.deep.equal(shown(valueIn(`a.b = ${list};`)));
    });
  }

  const refused: [string, string][] = [
    ['1, 2;', "expected ',' or '}' in the list, found \";\""],
    ['1 2}', "expected ',' or '}' in the list, found \"2\""],
    ['{, 2}', "expected ',' or '}' in the list, found \",\""],
    [', 2}', 'expected a value, found ","'],
    ['1, }', 'expected a value, found "}"'],
    ['1, "open', 'expected a value, found "\\""'],
    ['1, 2', "expected ',' or '}' in the list, found the end of the file"],
    ['1, &[2]}', 'expected a variable after \'&\', found "&"'],
    ['{'.repeat(100_000), 'lists stand at most 32 deep in each other'],
  ];
  for (const [rest, message] of refused) {
    it(`is refused for ${JSON.stringify(rest.slice(0, 20))} in it, with the line`, () => {
      const text = `${BEFORE}a.c = {${'1,'.repeat(40_000)}\n${rest}`;
      const { error } = parseCheckpoint(text);
      expect(error?.message).to.equal(message);
      expect(lineAt(text, error?.at ?? 0)).to.equal(4003);
    });
  }

  it('is refused after what is wrong before it', () => {
    expect(parseCheckpoint(`a.b 1;\n${BEFORE}a.c = {1, 2;`).error?.message).to.match(/^expected '=' and a value/);
  });

  it('has the numbers that its items have', () => {
    const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());
    fc.assert(
      fc.property(fc.array(number, { minLength: 1 }), (numbers) => {
        const long = valueIn(
          `a.b = ${padded(`{${numbers.map((one) => (Object.is(one, -0) ? '-0' : one)).join(', ')}}`)};`,
        );
        const found: number[] = [];
        if (long?.kind === 'list' && long.items instanceof LongList)
          long.items.eachNumber('floating', (value) => found.push(value));
        expect(found).to.deep.equal(numbers);
      }),
      { numRuns: runs(200) },
    );
  });

  it('is one value for the parser, however many it has', () => {
    const [piece] = parsePieces(`a.b = {${"'x', ".repeat(100_000)}'y'};`);
    const [statement] = piece?.statements ?? [];
    const { items } = (statement?.kind === 'assignment' ? statement.value : undefined) as Literal & { kind: 'list' };
    expect(items).to.have.length(100_001);
    expect(Object.values(items).filter((one) => typeof one === 'object')).to.deep.equal([]);
  });
});
