// How often one client may change the catalog, and go to other times of a recording.
import { expect } from 'chai';
import type { Request } from '../../source/source.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger } from '../scheduling/account.js';
import { tooMany } from './request-rates.js';

const DESPAWN: Request = { kind: 'despawn', object: 'a', isRecursive: false };
const SEEK: Request = { kind: 'control', control: { action: 'seek', toSeconds: 1 } };

describe('the rates of requests', () => {
  const clock = new ManualClock();
  const ledger = new Ledger(clock);
  const account = ledger.open('10.0.0.1');
  const ask = (request: Request) => tooMany(account, request)?.message;

  it('bound changes of the catalog at once and then a second, and seeks by themselves', () => {
    for (let k = 0; k < 10_000; k++) expect(ask(DESPAWN)).to.equal(undefined);
    for (let k = 0; k < 200; k++) expect(ask(SEEK)).to.equal(undefined);
    expect([ask(DESPAWN), ask(SEEK)]).to.deep.equal([
      'a client may make and remove 10000 objects and variables at once, then 1000 a second; ask again later',
      'a client may go to 200 times of a recording at once, then 100 a second; ask again later',
    ]);
    expect([...ledger.rateRefusals.values()]).to.deep.equal([1, 1, 0]);
    clock.advance(10);
    expect([ask(SEEK), ask(SEEK) === undefined]).to.deep.equal([undefined, false]);
    for (let k = 0; k < 10; k++) expect(ask(DESPAWN)).to.equal(undefined);
    expect(ask(DESPAWN)).to.be.a('string');
  });

  it('bound nothing else', () => {
    for (const request of [
      { kind: 'write', writes: [] },
      { kind: 'control', control: { action: 'run' } },
    ] as const)
      expect(ask(request)).to.equal(undefined);
  });
});
