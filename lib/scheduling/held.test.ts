// Amounts that one thing holds of its client's account.
import { expect } from 'chai';
import type { Account, Holding } from './account.js';
import { Held } from './held.js';

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

  it('asks nothing of the account while nothing is held', () => {
    const held = new Held(account);
    held.set('aheadBytes', 0);
    held.release();
    expect(asked).to.deep.equal([]);
    expect(Reflect.get(held, 'amounts')).to.equal(undefined);
  });
});
