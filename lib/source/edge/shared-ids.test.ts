import { expect } from 'chai';
import { SharedIds } from './shared-ids.js';

describe('the ids of frames that several edges show', () => {
  it('are the same at all, whatever the numbers are there', () => {
    const [one, other] = [new SharedIds(), new SharedIds()];
    one.note({ epoch: 7, from: 1, shift: 0 });
    for (const [ids, shift] of [
      [one, 500],
      [other, 0],
    ] as const) {
      ids.note({ epoch: 8, from: 1 + shift, shift });
      ids.note({ epoch: 8, from: 2 + shift, shift });
    }
    expect([one.of(530), other.of(30)]).to.deep.equal(['30-8', '30-8']);
    expect([one.numberOf('30-8'), other.numberOf('30-8')]).to.deep.equal([530, 30]);
    expect([one.of(400), one.numberOf('400-7'), other.numberOf('400-7')]).to.deep.equal(['400-7', 400, undefined]);
  });

  it('are known when numbers go on in another way within a run, and of the server of the simulation', () => {
    const ids = new SharedIds();
    ids.note({ epoch: 7, from: 10, shift: 0 });
    ids.note({ epoch: 7, from: 21, shift: 1 });
    expect([ids.of(20), ids.of(21)]).to.deep.equal(['20-7', '20-7']);
    expect([ids.numberOf('19-7'), ids.numberOf('20-7'), ids.numberOf('5-7')]).to.deep.equal([19, 21, 5]);
    expect([ids.numberOf('25'), new SharedIds().numberOf('25')]).to.deep.equal([26, undefined]);
  });
});
