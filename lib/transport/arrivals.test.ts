import { expect } from 'chai';
import { Arrivals } from './arrivals.js';
import { Paced } from './paced.js';

function setUp() {
  const later: (() => void)[] = [];
  const paced = new Paced(
    1,
    0.5,
    (call) => later.push(call),
    () => 0,
  );
  const arrivals = new Arrivals(paced);
  const come: string[] = [];
  const arrive = (network: string, name: string): void => arrivals.call(network, () => void come.push(name));
  return { arrive, come, turn: () => later.shift()?.() };
}

describe('connections that arrive', () => {
  it('are handed over at once, a few in a turn, those of one network in their order', () => {
    const { arrive, come, turn } = setUp();
    for (const name of ['a', 'b', 'c', 'd', 'e']) arrive('1', name);
    expect(come).to.deep.equal(['a', 'b']);
    turn();
    turn();
    expect(come).to.deep.equal(['a', 'b', 'c', 'd', 'e']);
  });

  it('wait for no more than one of each other network, however many come', () => {
    const { arrive, come, turn } = setUp();
    for (let k = 0; k < 1000; k++) arrive('crowd', `crowd ${k}`);
    arrive('2', 'elsewhere');
    arrive('3', 'and there');
    turn();
    turn();
    expect(come.slice(2)).to.deep.equal(['crowd 2', 'elsewhere', 'and there', 'crowd 3']);
  });
});
