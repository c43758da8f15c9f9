// A read that makes frames carry much waits for its turn, gives it back, and holds nothing without it.
import { expect } from 'chai';
import { PageLeases } from '../../model/frame/page-leases.js';
import { PAGE_BYTES } from '../../model/frame/page-map.js';
import { Frame, FramePages, type Shown } from '../../model/frame/reader.js';
import type { Variable } from '../../model/state/variable.js';
import { headerAt } from '../../testing/aids/frames.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger, OverBoundError } from '../scheduling/account.js';
import { FewAtATime } from '../scheduling/few-at-a-time.js';
import { DEFAULT_BOUNDS } from '../scheduling/holdings.js';
import { Read } from './read.js';
import type { Session } from './session.js';

const STATE_PAGES = 5000;

/** So many pages of the state. */
function part(pages: number): Shown {
  const variable = {
    path: 'o.many',
    type: { kind: 'array', element: { kind: 'number', name: 'double' }, length: (pages * PAGE_BYTES) / 8 },
    offsetBytes: 0,
    hops: [],
  } as unknown as Variable;
  return { isCarriedBy: (frame) => frame.carries(variable) };
}

function setUp() {
  const largeReads = new FewAtATime(1);
  const ledger = new Ledger(new ManualClock());
  const leases = new PageLeases();
  const held: number[] = [0];
  const { hold, release } = leases;
  leases.hold = (pages) => {
    held[0] = (held[0] as number) + pages.length;
    hold.call(leases, pages);
  };
  leases.release = (pages) => {
    held[0] = (held[0] as number) - pages.length;
    release.call(leases, pages);
  };
  const bytes = STATE_PAGES * PAGE_BYTES;
  const frame = new Frame(bytes, headerAt(1), new FramePages(leases, bytes));
  let looks = 0;
  const look = (): void => void looks++;
  const account = ledger.open('127.0.0.1:1');
  const create = (client?: 'operator'): Read =>
    new Read({ source: { frame }, account, client, look } as unknown as Session, { largeReads });
  const begun = async (turn: Promise<void> | undefined): Promise<boolean> => {
    let isBegun = turn === undefined;
    void turn?.then(() => {
      isBegun = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    return isBegun;
  };
  return { ledger, create, begun, frame, held, looks: () => looks, waiting: () => largeReads.held };
}

describe('a read', () => {
  it('of up to 256 pages needs no turn, and one of more holds them in its turn only', () => {
    const { create, ledger, held, looks } = setUp();
    const read = create();
    expect([read.ask([part(256)]), read.mustWait, read.enter(), held[0], looks()]).to.deep.equal([
      false,
      false,
      undefined,
      256,
      1,
    ]);
    read.end();
    expect([read.ask([part(257)]), read.mustWait, held[0], looks()]).to.deep.equal([false, true, 0, 1]);
    expect([read.enter(), read.ask([part(257)]), held[0], looks(), ledger.held('largeReads')]).to.deep.equal([
      undefined,
      false,
      257,
      2,
      1,
    ]);
    read.end();
    expect([held[0], ledger.held('largeReads')]).to.deep.equal([0, 0]);
  });

  it('is answered by a frame that carries what it needs', () => {
    const { create, frame, looks } = setUp();
    const read = create();
    for (let page = 0; page < 100; page++) frame.pages?.carried.mark(page, true);
    expect([read.ask([part(100)]), read.ask([part(101)]), looks()]).to.deep.equal([true, false, 1]);
  });

  it('lets the next one begin at its end', async () => {
    const { create, begun } = setUp();
    const [first, second] = [create(), create()];
    for (const read of [first, second]) read.ask([part(1000)]);
    first.enter();
    const turn = second.enter();
    expect(await begun(turn)).to.equal(false);
    first.end();
    expect(await begun(turn)).to.equal(true);
  });

  it('that never had to wait leaves nothing for the next one', () => {
    const { create } = setUp();
    const read = create();
    read.ask([part(1000)]);
    read.end();
    expect([read.mustWait, read.enter()]).to.deep.equal([false, undefined]);
  });

  it("of the operator's own waits for nobody", () => {
    const { create, held } = setUp();
    const read = create('operator');
    expect([read.ask([part(1000)]), read.mustWait, held[0]]).to.deep.equal([false, false, 1000]);
  });

  it('that ends while it waits leaves the queue at once, and may be followed by another', async () => {
    const { create, waiting, begun } = setUp();
    const [first, second] = [create(), create()];
    for (const read of [first, second]) read.ask([part(1000)]);
    first.enter();
    const turn = second.enter();
    expect(waiting()).to.equal(1);
    second.end();
    expect(waiting()).to.equal(0);
    expect(await begun(turn)).to.equal(true);
    second.ask([part(1000)]);
    const next = second.enter();
    expect([waiting(), await begun(next)]).to.deep.equal([1, false]);
    first.end();
    expect(await begun(next)).to.equal(true);
  });

  it('is refused when too many of its client are not over, and holds nothing then', () => {
    const { create, ledger, waiting } = setUp();
    const { each } = DEFAULT_BOUNDS.largeReads;
    for (let k = 0; k < each; k++) {
      const read = create();
      read.ask([part(1000)]);
      void read.enter();
    }
    const more = create();
    more.ask([part(1000)]);
    expect(() => more.enter()).to.throw(OverBoundError, 'a client may have 64 large reads that are not over');
    expect([ledger.held('largeReads'), waiting()]).to.deep.equal([each, each - 1]);
    more.end();
    expect(ledger.held('largeReads')).to.equal(each);
  });
});
