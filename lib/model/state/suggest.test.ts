// "Did you mean": the nearest names, and the bounded cost of very long ones.
import { expect } from 'chai';
import { didYouMean, nearestNames } from './suggest.js';

/** Candidates that count how many were read. */
function counted(count: number, nameOf: (index: number) => string) {
  const asked = { count: 0 };
  function* names(): Generator<string> {
    for (let index = 0; index < count; index++) {
      asked.count++;
      yield nameOf(index);
    }
  }
  return { asked, names: names() };
}

describe('did you mean', () => {
  it('names the nearest first, whatever their case', () => {
    expect(nearestNames('positon', ['velocity', 'Position', 'positions', 'mass'])).to.deep.equal([
      'Position',
      'positions',
    ]);
    expect(didYouMean(['a', 'b', 'c'])).to.equal('; did you mean a, b or c?');
  });

  it('compares no name that is much longer or shorter', () => {
    const endless = 'x'.repeat(1_000_000);
    expect(nearestNames('abc', Array(10_000).fill(endless))).to.deep.equal([]);
  });

  it('looks for nothing near a name that nobody types', () => {
    const { asked, names } = counted(10, () => 'x'.repeat(200));
    expect(nearestNames('x'.repeat(200), names)).to.deep.equal([]);
    expect(asked.count).to.equal(0);
  });

  it('compares a bounded number of names', () => {
    const { asked, names } = counted(1_000_000, (index) => `n${1_000_000 + index}`);
    expect(nearestNames('n1000007', names)[0]).to.equal('n1000007');
    expect(asked.count).to.be.below(6000);
  });

  it('compares the fewer names the longer they are', () => {
    const { asked, names } = counted(1_000_000, (index) => `${'n'.repeat(120)}${1_000_000 + index}`);
    expect(nearestNames(`${'n'.repeat(120)}1000007`, names)[0]).to.equal(`${'n'.repeat(120)}1000007`);
    expect(asked.count).to.be.within(100, 200);
  });
});
