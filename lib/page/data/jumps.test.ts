import { expect } from 'chai';
import { Jumps } from './jumps.js';

describe('jumps in a recording', () => {
  it('are told with the first sample that lies ahead, once for each watch', () => {
    const jumps = new Jumps();
    const [one, other] = [jumps.follower(), jumps.follower()];
    expect([10, 10.1].map(one)).to.deep.equal([false, false]);
    other(10);
    jumps.to(40);
    // The recording runs on until the server has heard of it.
    expect([10.2, 39.95, 40.05, 40.1].map(one)).to.deep.equal([false, true, false, false]);
    expect([40.05, 40.1].map(other)).to.deep.equal([true, false]);
  });

  it('are not told when time goes back, or when nothing was asked for', () => {
    const jumps = new Jumps();
    const follow = jumps.follower();
    expect([10, 30].map(follow)).to.deep.equal([false, false]);
    jumps.to(5);
    expect([5, 5.1, 5.2].map(follow)).to.deep.equal([false, false, false]);
    jumps.to(50);
    jumps.to(undefined);
    expect([5.3, 49, 51].map(follow)).to.deep.equal([false, false, false]);
  });

  it('before a watch began are none of it', () => {
    const jumps = new Jumps();
    jumps.to(40);
    expect([10, 40].map(jumps.follower())).to.deep.equal([false, false]);
  });
});
