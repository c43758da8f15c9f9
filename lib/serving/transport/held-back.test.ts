// Counts and log lines of what the transport's limits held back.
import { expect } from 'chai';
import { HeldBack } from './held-back.js';

describe('what bounds hold back', () => {
  it('is counted by bound, and said at most once a second', () => {
    const said: string[] = [];
    let nowMillis = 5000;
    const heldBack = new HeldBack(
      (sentence) => said.push(sentence),
      () => nowMillis,
    );
    heldBack.note('datagrams');
    heldBack.note('connections', 'a');
    nowMillis += 999;
    heldBack.note('connections', 'b');
    nowMillis += 1;
    heldBack.note('silent_peers', 'c');
    expect(said).to.deep.equal(['a', 'c']);
    const counts = (['datagrams', 'connections', 'silent_peers', 'request_bodies'] as const).map((bound) =>
      heldBack.count(bound),
    );
    expect(counts).to.deep.equal([1, 2, 1, 0]);
  });
});
