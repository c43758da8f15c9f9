// Of each network one in its turn.
import { expect } from 'chai';
import { NetworkRounds } from './network-rounds.js';

describe('rounds of networks', () => {
  function filled(): NetworkRounds<string> {
    const rounds = new NetworkRounds<string>();
    for (const one of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) rounds.add(one.charAt(0), one);
    return rounds;
  }
  const takeAll = (rounds: NetworkRounds<string>): string[] => {
    const taken: string[] = [];
    for (let one = rounds.takeNext(); one !== undefined; one = rounds.takeNext()) taken.push(one);
    return taken;
  };

  it('take one of each network, then the next of each', () => {
    const rounds = filled();
    expect(rounds.size).to.equal(6);
    expect(takeAll(rounds)).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
    expect([rounds.size, rounds.takeNext()]).to.deep.equal([0, undefined]);
  });

  it('put who comes behind those of its network that wait', () => {
    const rounds = filled();
    rounds.takeNext();
    rounds.add('a', 'a1');
    rounds.add('a', 'a2');
    rounds.add('d', 'd1');
    expect(rounds.size).to.equal(7);
    expect(takeAll(rounds)).to.deep.equal(['b1', 'c1', 'a2', 'd1', 'c2', 'a3', 'a1']);
  });

  it('forget who goes, and a network without any', () => {
    const rounds = filled();
    rounds.delete('b', 'b1');
    rounds.delete('b', 'b1');
    rounds.delete('a', 'c1');
    rounds.delete('a', 'a1');
    expect(rounds.size).to.equal(4);
    expect(takeAll(rounds)).to.deep.equal(['a2', 'c1', 'a3', 'c2']);
  });

  it('show the first of each that are wanted, and take none', () => {
    const rounds = filled();
    const first = (most: number) => rounds.first(most, (one) => one !== 'a1');
    expect(first(2)).to.deep.equal(['a2', 'b1']);
    expect(first(4)).to.deep.equal(['a2', 'b1', 'c1', 'a3']);
    expect(first(9)).to.deep.equal(['a2', 'b1', 'c1', 'a3', 'c2']);
    expect(rounds.size).to.equal(6);
  });
});
