// JSON in pieces gives what JSON.parse gives, or refuses what it refuses, and no step of a long text takes long.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../testing/aids/run-counts.js';
import { ElementReader, JsonBoundError, parseInPieces } from './json-pieces.js';

/** Parses piece by piece; counts the steps. */
function parse(
  text: string,
  pieceCharacters: number,
  maxDepth = 64,
  maxParts = 100_000,
): { value: unknown; steps: number } {
  const work = parseInPieces(text, { maxDepth, maxParts, pieceCharacters });
  for (let steps = 1; ; steps++) {
    const step = work.next();
    if (step.done) return { value: step.value, steps };
  }
}

/** The elements of a list, read some at a time. */
function elementsOf(text: string, pieceCharacters: number): unknown[] {
  const reader = new ElementReader(text, { maxDepth: 64, maxParts: 100_000, pieceCharacters });
  const all: unknown[] = [];
  for (let some = reader.next(); some; some = reader.next()) all.push(...some);
  return all;
}

const outcomeOf = (act: () => unknown): { value: unknown } | 'refused' => {
  try {
    return { value: act() };
  } catch (error) {
    expect(error).to.be.instanceOf(SyntaxError);
    return 'refused';
  }
};

/** Same members in the same order, also those that are called like the prototype. */
const shown = (value: unknown): string => JSON.stringify(value, (_, one) => (Object.is(one, -0) ? 'minus zero' : one));

function expectSame(text: string, pieceCharacters: number): void {
  const expected = outcomeOf(() => JSON.parse(text));
  const found = outcomeOf(() => parse(text, pieceCharacters).value);
  expect(shown(found), text).to.equal(shown(expected));
  if (!/^\s*\[/.test(text)) return;
  const elements = outcomeOf(() => elementsOf(text, pieceCharacters));
  expect(shown(elements), text).to.equal(shown(expected));
}

const blanks = fc.stringMatching(/^[ \t\n\r]{0,2}$/);
const keys = fc.constantFrom('a', 'b', '__proto__', '', 'x,y', '[', '}', '\\"', 'é', '1', '0');
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom('1', '-0', '1e400', 'true', 'null', '"a,]"', '"\\\\"', '"\\""', '"}{"', '2.5'),
    fc
      .tuple(blanks, fc.array(tie('json') as fc.Arbitrary<string>))
      .map(([blank, all]) => `[${blank}${all.join(`${blank},`)}]`),
    fc
      .tuple(blanks, fc.array(fc.tuple(keys, tie('json') as fc.Arbitrary<string>)))
      .map(
        ([blank, all]) =>
          `{${all.map(([key, value]) => `${JSON.stringify(key)}${blank}:${blank}${value}`).join(',')}${blank}}`,
      ),
  ),
}));

describe('JSON in pieces', () => {
  it('gives the elements of a long list some at a time', () => {
    const list = Array.from({ length: 1000 }, (_, k) => ({ k, texts: ['a', `,${k}]`] }));
    const reader = new ElementReader(JSON.stringify(list), { maxDepth: 64, maxParts: 100_000, pieceCharacters: 1000 });
    expect(reader.next()).to.have.lengthOf.within(20, 40);
    expect(elementsOf(JSON.stringify(list), 1000)).to.deep.equal(list);
  });

  it('is what JSON.parse makes of any text', () => {
    fc.assert(
      fc.property(json as fc.Arbitrary<string>, fc.integer({ min: 1, max: 30 }), (text, size) =>
        expectSame(text, size),
      ),
      { numRuns: runs(2000) },
    );
  });

  it('refuses what JSON.parse refuses', () => {
    const pieces = fc.array(
      fc.constantFrom('[', ']', '{', '}', ',', ':', '"a"', '"', '1', '-', ' ', '\u00a0', 'null', '\\'),
      {
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 4 }), (all, size) => expectSame(all.join(''), size)),
      { numRuns: runs(2000) },
    );
    const damaged = fc.tuple(
      json as fc.Arbitrary<string>,
      fc.nat(),
      fc.constantFrom('', ',', ']', '}', '[', '-', '"', ':', '1'),
    );
    fc.assert(
      fc.property(damaged, fc.integer({ min: 1, max: 20 }), ([text, at, put], size) => {
        const place = at % (text.length + 1);
        expectSame(text.slice(0, place) + put + text.slice(place + 1), size);
      }),
      { numRuns: runs(2000) },
    );
  });

  it('says where a long text is wrong', () => {
    const text = `[${'1,'.repeat(40)}x,${'1,'.repeat(40)}1]`;
    expect(() => parse(text, 10)).to.throw(SyntaxError, /'x'|position 81/);
    expect(() => parse(`[${'1,'.repeat(40)}[1,1,1}`, 10)).to.throw(
      SyntaxError,
      "Unexpected token '}' in JSON at position 87",
    );
  });

  it('is one value: what stands before a long list or object, or another one behind it, is refused', () => {
    const long = `[${'1,'.repeat(40)}1]`;
    for (const [text, place] of [
      [`x${long}`, 1],
      [`[1]${long}`, 3],
      [`${long} ${long}`, long.length + 1],
      [`${long},{"a":${long}}`, long.length + 1],
    ] as const) {
      const sentence = `Unexpected token '${text[place]}' in JSON at position ${place}`;
      expect(() => parse(text, 10), text).to.throw(SyntaxError, sentence);
      if (text.startsWith('[')) expect(() => elementsOf(text, 10), text).to.throw(SyntaxError, sentence);
    }
  });

  it('is refused when it is nested too deep, in any piece', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(`[1,1,1,1,1,1,${nested(3)}]`, 5, 4).value).to.deep.equal([1, 1, 1, 1, 1, 1, [[[]]]]);
    expect(() => parse(`[1,1,1,1,1,1,${nested(4)}]`, 5, 4)).to.throw(JsonBoundError, 'nested deeper than 4 levels');
  });

  it('is refused when it has too many small parts; numbers of a list are none', () => {
    expect(parse(`[${'1,'.repeat(1000)}1]`, 50, 64, 5).value).to.have.length(1001);
    for (const text of ['[[],[],[],[],[]]', '{"a":{},"b":{},"c":{}}'])
      expect(() => parse(text, 5, 64, 5)).to.throw(JsonBoundError, 'of more than 5 lists, objects and members');
  });

  it('gives way within a long string of escaped quotes', () => {
    const quotes = JSON.stringify('"'.repeat(100_000));
    const steps = quotes.length / 4096;
    for (const text of [quotes, `[${quotes}]`, `{"a":${quotes}}`, `{${quotes}:1}`]) {
      expect(parse(text, 8192).steps).to.be.within(steps / 2, steps + 5);
      expectSame(text, 8192);
    }
    for (const text of [quotes.slice(0, -1), `[${quotes}`, `${quotes},`]) expectSame(text, 8192);
  });

  it('takes as many steps as a long text needs, however it is nested', () => {
    const members = Array.from({ length: 3000 }, (_, k) => `"k${k}":[${k},{"a":${k}}]`);
    const long = `{${members.join(',')}}`;
    // Each level holds less than a piece, all together many.
    let deep = '1';
    for (let level = 0; level < 60; level++) deep = `[${'1,'.repeat(400)}${deep}]`;
    for (const text of [long, deep]) {
      const { value, steps } = parse(text, 1024);
      expect(shown(value)).to.equal(text);
      expect(steps).to.be.at.least(text.length / 4096 / 2);
    }
  });
});
