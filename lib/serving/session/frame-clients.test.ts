// What clients want of frames: followed while there is any, and made together where it is equal.
import { expect } from 'chai';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { FrameClients } from './frame-clients.js';
import { SessionRegistry } from './registry.js';

describe('clients of frames', () => {
  function setUp(groupOf?: (wanted: ReadonlySet<string>) => unknown) {
    const ball = new TestBall();
    const clock = new ManualClock();
    const registry = new SessionRegistry(ball, clock);
    const made: string[] = [];
    let millis = 1.5;
    const clients = new FrameClients<string>(registry, {
      begin: (wanted) => (frame) => {
        for (const one of wanted) made.push(`${one} ${frame.header.number}`);
        clock.leap(millis);
        millis = 0;
        return false;
      },
      gone: (wanted, account) => {
        for (const one of [...wanted]) clients.remove(account, one);
      },
      ...(groupOf ? { groupOf } : {}),
    });
    const accounts = ['10.0.0.1', '10.0.0.2', '10.0.0.3'].map((address) => registry.ledger.open(address));
    for (const [k, account] of accounts.entries()) clients.add(account, `${k}`);
    const used = (): number[] => accounts.map(({ share }) => share.finishMillis);
    return { ball, clients, accounts, made, used };
  }

  it('divide the time of what is made together', () => {
    const together = setUp(() => 'equal');
    together.ball.ticks(1);
    const { number } = together.ball.frame.header;
    expect(together.made).to.deep.equal(['0', '1', '2'].map((one) => `${one} ${number}`));
    expect(together.used()).to.deep.equal([0.5, 0.5, 0.5]);
  });

  it('use their own time for what is not', () => {
    const apart = setUp();
    apart.ball.ticks(1);
    expect(apart.made).to.have.length(3);
    expect(apart.used()[0]).to.be.within(1.5, 1.6);
    // The least time that a job is counted with.
    expect(apart.used()[2]).to.be.below(0.1);
  });

  it('are told of no frame once they have gone', () => {
    const { ball, clients, accounts, made } = setUp();
    for (const account of accounts.slice(1)) account.close();
    expect([clients.size, clients.all]).to.deep.equal([1, ['0']]);
    ball.ticks(1);
    expect(made).to.have.length(1);
    const [first] = accounts;
    if (!first) throw new Error('there is no first client');
    expect([clients.remove(first, '0'), clients.remove(first, '0')]).to.deep.equal([true, false]);
    ball.ticks(1);
    expect(made).to.have.length(1);
  });
});
