// Amounts that one thing holds of its client's account.
import { expect } from 'chai';
import { type Account, OverBoundError } from './account.js';
import { Held } from './held.js';
import type { Holding } from './holdings.js';

describe('what one thing holds', () => {
  const asked: string[] = [];
  const account = {
    change: (holding: Holding, before: number, now: number) => asked.push(`${holding} ${before} to ${now}`),
    give: (holding: Holding, amount: number) => asked.push(`${holding} back ${amount}`),
  } as unknown as Account;
  beforeEach(() => asked.splice(0));

  it('is changed and given back', () => {
    const held = new Held(account);
    held.set('aheadBytes', 5);
    held.setAll({ aheadBytes: 3, keptBytes: 2 });
    held.release();
    held.release();
    expect(asked).to.deep.equal([
      'aheadBytes 0 to 5',
      'aheadBytes 5 to 3',
      'keptBytes 0 to 2',
      'aheadBytes back 3',
      'keptBytes back 2',
    ]);
  });

  it('says whether it could be set, and passes on every other error', () => {
    const errors = [new OverBoundError('keptBytes', 'too much'), new TypeError('a fault')];
    const full = {
      change: () => {
        throw errors.shift();
      },
    } as unknown as Account;
    expect(new Held(account).trySet('keptBytes', 4)).to.equal(true);
    const held = new Held(full);
    expect(held.trySet('keptBytes', 4)).to.equal(false);
    expect(Reflect.get(held, 'amounts')).to.equal(undefined);
    expect(() => held.trySet('keptBytes', 4)).to.throw(TypeError, 'a fault');
    expect(asked).to.deep.equal(['keptBytes 0 to 4']);
  });

  it('asks nothing of the account while nothing is held', () => {
    const held = new Held(account);
    held.set('aheadBytes', 0);
    held.release();
    expect(asked).to.deep.equal([]);
    expect(Reflect.get(held, 'amounts')).to.equal(undefined);
  });
});
