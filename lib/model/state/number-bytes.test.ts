// Doubles as bytes: the text of formatDouble, and text that is read as the same number.
import { expect } from 'chai';
import fc from 'fast-check';
import { writeDouble, writeExact } from './number-bytes.js';
import { formatDouble } from './number-text.js';

const bytes = Buffer.alloc(64);
const texted = (write: typeof writeDouble, x: number): string | undefined => {
  const end = write(bytes, 1, x);
  return end < 0 ? undefined : bytes.toString('latin1', 1, end);
};

describe('a double as bytes', () => {
  const anyDouble = fc.oneof(
    fc.double({ noNaN: true }),
    fc.double({ min: 1e-5, max: 1e17, noNaN: true }),
    fc.tuple(fc.integer(), fc.integer({ min: -10, max: 10 })).map(([n, power]) => Number(`${n}e${power}`)),
    // Halfway between two numbers of 16 digits.
    fc
      .tuple(fc.integer({ min: 1, max: 2 ** 30 }), fc.integer({ min: 0, max: 60 }))
      .map(([n, power]) => n * 2 ** -power),
    fc.integer({ min: -8, max: 16 }).chain((power) => fc.constantFrom(...near(Number(`1e${power}`)))),
  );

  it('is what C prints', () => {
    fc.assert(
      fc.property(anyDouble, (x) => (texted(writeDouble, x) ?? formatDouble(x)) === formatDouble(x)),
      { numRuns: 20_000 },
    );
    for (const x of [0, Number.NaN, Number.POSITIVE_INFINITY, 1e16, 9e-5])
      expect(writeDouble(bytes, 0, x)).to.equal(-1);
  });

  it('is read as the same number, and short where it can be', () => {
    fc.assert(
      fc.property(anyDouble, (x) => Number(texted(writeExact, x) ?? x) === x),
      { numRuns: 20_000 },
    );
    const shown = [0.1, 2.5, -1e15, 0.1 + 0.2, 123456.789, 1 / 3].map((x) => texted(writeExact, x));
    const exact = ['0.1', '2.5', '-1000000000000000', '0.30000000000000004', '123456.789', '0.33333333333333331'];
    expect(shown).to.deep.equal(exact);
  });
});

/** A number, and some of those beside it. */
function near(x: number): number[] {
  const bits = new BigInt64Array(Float64Array.of(x).buffer);
  return [-3n, -2n, -1n, 0n, 1n, 2n, 3n].map((more) => {
    const other = BigInt64Array.of((bits[0] as bigint) + more);
    return new Float64Array(other.buffer)[0] as number;
  });
}
