// What has changed between two versions of a catalog.
import { expect } from 'chai';
import { ChangeHistory } from './change-history.js';

const names = (history: ChangeHistory, first: number, last: number) => {
  const found = history.between(first, last);
  return found && [...found].sort();
};

describe('the history of changes', () => {
  it('has the names of all steps between two versions, once each', () => {
    const history = new ChangeHistory();
    history.add(1, 4, ['a']);
    history.add(4, 5, ['b', 'a']);
    history.add(5, 9, ['c']);
    expect(names(history, 1, 9)).to.deep.equal(['a', 'b', 'c']);
    expect(names(history, 4, 5)).to.deep.equal(['a', 'b']);
    expect(names(history, 9, 9)).to.deep.equal([]);
  });

  it('ignores a step that leads nowhere', () => {
    const history = new ChangeHistory();
    history.add(1, 4, ['a']);
    history.add(4, 4, []);
    expect(names(history, 1, 4)).to.deep.equal(['a']);
  });

  it('does not know versions it has not met', () => {
    const history = new ChangeHistory();
    history.add(1, 4, ['a']);
    expect([names(history, 2, 4), names(history, 0, 4), names(history, 1, 3)]).to.deep.equal([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tells no more names than are asked for', () => {
    const history = new ChangeHistory();
    history.add(1, 4, ['a']);
    history.add(4, 5, ['b', 'a']);
    expect(history.between(1, 5, 1)).to.equal(undefined);
    expect(history.between(1, 5, 2)).to.have.length(2);
  });

  it('forgets the oldest steps, by their number and by their names', () => {
    const history = new ChangeHistory();
    for (let version = 1; version <= 1500; version++) history.add(version - 1, version, ['a']);
    expect(names(history, 499, 1500)).to.equal(undefined);
    expect(names(history, 500, 1500)).to.deep.equal(['a']);
    history.add(
      1500,
      1501,
      Array.from({ length: 9_999 }, (_, index) => `n${index}`),
    );
    expect(names(history, 1498, 1501)).to.equal(undefined);
    expect(names(history, 1499, 1501)).to.have.length(10_000);
  });
});
