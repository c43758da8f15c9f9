// Variables that a session gives back: all of them, a few at a time.
import { expect } from 'chai';
import { Ledger } from '../../scheduling/account.js';
import { Turns } from '../../scheduling/turns.js';
import { ComputingClock } from '../../testing/aids/computing.js';
import type { TrickReference } from '../wire/reference.js';
import { releaseAll } from './release.js';

describe('the variables of a list', () => {
  function release(count: number): { readonly most: number; readonly isWhole: boolean } {
    const later: (() => void)[] = [];
    const clock = new ComputingClock();
    clock.millisPerLook = 1;
    const turns = new Turns(
      () => clock.nowMillis(),
      (call) => later.push(call),
    );
    const held = Array.from({ length: count }, (_, id) => ({ id }) as unknown as TrickReference);
    const released: TrickReference[] = [];
    const references = { release: (reference: TrickReference): void => void released.push(reference) };
    releaseAll(held, { references, registry: { turns }, client: { account: new Ledger(clock).open('client') } });
    let most = released.length;
    for (let call = later.shift(); call; call = later.shift()) {
      const before = released.length;
      call();
      most = Math.max(most, released.length - before);
    }
    return { most, isWhole: released.every((one, k) => one === held[k]) && released.length === count };
  }

  it('are given back in turns when they are many, each once and in order', () => {
    const { most, isWhole } = release(20_000);
    expect(isWhole).to.equal(true);
    expect(most).to.be.below(2500);
  });

  it('are given back at once when they are few', () => {
    expect(release(200)).to.deep.equal({ most: 200, isWhole: true });
  });
});
