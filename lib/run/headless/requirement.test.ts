// Requirements: what they say of a run, and between which bounds the rate lies.
import { expect } from 'chai';
import { requirementOf, wilson } from './requirement.js';

const row = (values: Record<string, unknown>, error?: string) =>
  ({ run: 0, seed: 0, set: {}, values, ...(error !== undefined && { error }) }) as never;

describe('a requirement', () => {
  it('is met by a value, by all elements of an array, and by no run that has failed', () => {
    const { read, isMet, text } = requirementOf(' impact.x {ft} <= 5e2 ');
    expect([read, text]).to.deep.equal(['impact.x{ft}', 'impact.x {ft} <= 5e2']);
    expect(
      [500, 501, [1, 2], [1, 501], true, 3n, 'x', Number.NaN, undefined].map((x) => isMet(row({ [read]: x }))),
    ).to.deep.equal([true, false, true, false, true, true, false, false, false]);
    expect(isMet(row({ [read]: 1 }, 'fell'))).to.equal(false);
  });

  it('compares texts for equality', () => {
    expect(requirementOf('lander.phase == landed').isMet(row({ 'lander.phase': 'landed' }))).to.equal(true);
    expect(requirementOf('lander.phase != landed').isMet(row({ 'lander.phase': 'landed' }))).to.equal(false);
  });

  for (const text of ['', 'x', 'x <', '< 3', 'x < y', 'x {m < 3', 'x = 3', 'x << 3', 'x < 3 < 4'])
    it(`is not ${JSON.stringify(text)}`, () =>
      expect(() => requirementOf(text)).to.throw(RangeError, /^a requirement is a variable/));

  it("has Wilson's interval", () => {
    // Brown, Cai and DasGupta 2001 and many tables: 8 of 10.
    expect(wilson(8, 10).low).to.be.closeTo(0.4902, 1e-4);
    expect(wilson(8, 10).high).to.be.closeTo(0.9433, 1e-4);
    expect(wilson(0, 10)).to.deep.include({ low: 0 });
    expect(wilson(10, 10)).to.deep.include({ high: 1 });
    expect(wilson(0, 0)).to.deep.equal({ low: 0, high: 1 });
  });
});
