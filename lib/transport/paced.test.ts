import { expect } from 'chai';
import { Paced } from './paced.js';

describe('paced calls', () => {
  it('are made at once up to a number, then in later turns in their order', () => {
    const later: (() => void)[] = [];
    const turn = () => later.shift()?.();
    const paced = new Paced(2, (call) => later.push(call));
    const made: number[] = [];
    for (let k = 0; k < 5; k++) paced.call(() => made.push(k));
    expect(made).to.deep.equal([0, 1]);
    turn();
    expect(made).to.deep.equal([0, 1, 2, 3]);
    paced.call(() => made.push(5));
    expect(made).to.have.length(4);
    turn();
    expect(made).to.deep.equal([0, 1, 2, 3, 4, 5]);
    turn();
    expect(later).to.have.length(0);
    paced.call(() => made.push(6));
    expect(made).to.have.length(7);
  });
});
