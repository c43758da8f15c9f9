// A read that makes frames carry much waits for its turn, and gives it back.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger, OverBoundError } from '../scheduling/account.js';
import { FewAtATime } from '../scheduling/few-at-a-time.js';
import { DEFAULT_BOUNDS } from '../scheduling/holdings.js';
import { LargeRead } from './large-read.js';

function setUp() {
  const clock = new ManualClock();
  const largeReads = new FewAtATime(1);
  const ledger = new Ledger(clock);
  const account = ledger.open('127.0.0.1:1');
  const create = (): LargeRead => new LargeRead({ largeReads, clock }, account);
  const waiting = (): number => largeReads.held;
  const begun = async (turn: Promise<void> | undefined): Promise<boolean> => {
    let isBegun = turn === undefined;
    void turn?.then(() => {
      isBegun = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return isBegun;
  };
  return { clock, ledger, create, waiting, begun };
}

describe('a large read', () => {
  it('needs no turn for 256 pages, and may ask for more in its turn only', () => {
    const { create, ledger } = setUp();
    const read = create();
    expect([read.mayAsk(256), read.mustWait, read.enter()]).to.deep.equal([true, false, undefined]);
    expect([read.mayAsk(257), read.mustWait]).to.deep.equal([false, true]);
    expect([read.enter(), read.mayAsk(257), ledger.held('largeReads')]).to.deep.equal([undefined, true, 1]);
    read.end();
    expect([read.mayAsk(257), ledger.held('largeReads')]).to.deep.equal([false, 0]);
  });

  it('lets the next one begin 200 ms after its end', async () => {
    const { create, clock, begun } = setUp();
    const [first, second] = [create(), create()];
    for (const read of [first, second]) read.mayAsk(1000);
    first.enter();
    const turn = second.enter();
    expect(await begun(turn)).to.equal(false);
    first.end();
    clock.advance(199);
    expect(await begun(turn)).to.equal(false);
    clock.advance(1);
    expect(await begun(turn)).to.equal(true);
  });

  it('that never had to wait leaves nothing for the next one', () => {
    const { create } = setUp();
    const read = create();
    read.mayAsk(1000);
    read.end();
    expect([read.mustWait, read.enter()]).to.deep.equal([false, undefined]);
  });

  it("of the operator's own waits for nobody", () => {
    const { clock, ledger } = setUp();
    const parts = { largeReads: new FewAtATime(1), clock };
    const read = new LargeRead(parts, ledger.open('127.0.0.1:2'), true);
    expect([read.mayAsk(1000), read.mustWait]).to.deep.equal([true, false]);
  });

  it('that ends while it waits leaves the queue at once, and may be followed by another', async () => {
    const { create, waiting, begun, clock } = setUp();
    const [first, second] = [create(), create()];
    for (const read of [first, second]) read.mayAsk(1000);
    first.enter();
    const turn = second.enter();
    expect(waiting()).to.equal(1);
    second.end();
    expect(waiting()).to.equal(0);
    expect(await begun(turn)).to.equal(true);
    second.mayAsk(1000);
    const next = second.enter();
    expect([waiting(), await begun(next)]).to.deep.equal([1, false]);
    first.end();
    clock.advance(200);
    expect(await begun(next)).to.equal(true);
    // The turn that it left does not count as one that it has had.
    second.end();
    clock.advance(200);
    const last = create();
    last.mayAsk(1000);
    expect(last.enter()).to.equal(undefined);
  });

  it('is refused when too many of its client are not over, and holds nothing then', () => {
    const { create, ledger, waiting } = setUp();
    const { each } = DEFAULT_BOUNDS.largeReads;
    for (let k = 0; k < each; k++) {
      const read = create();
      read.mayAsk(1000);
      void read.enter();
    }
    const more = create();
    more.mayAsk(1000);
    expect(() => more.enter()).to.throw(OverBoundError, 'a client may have 64 large reads that are not over');
    expect([ledger.held('largeReads'), waiting()]).to.deep.equal([each, each - 1]);
    more.end();
    expect(ledger.held('largeReads')).to.equal(each);
  });
});
