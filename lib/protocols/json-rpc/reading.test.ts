// Reads that make frames carry much wait for each other; others do not.
import { expect } from 'chai';
import { PageLeases } from '../../model/frame/page-leases.js';
import { PAGE_BYTES } from '../../model/frame/page-map.js';
import { Frame, FramePages, type Shown } from '../../model/frame/reader.js';
import type { Variable } from '../../model/state/variable.js';
import { Ledger } from '../../serving/scheduling/account.js';
import { FewAtATime } from '../../serving/scheduling/few-at-a-time.js';
import { headerAt } from '../../testing/aids/frames.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { GONE } from './caller.js';
import { Presence } from './presence.js';
import { readOnce } from './reading.js';

const STATE_BYTES = 5000 * PAGE_BYTES;

function firstPages(pages: number): Shown {
  const type = { kind: 'array', element: { kind: 'number', name: 'double' }, length: (pages * PAGE_BYTES) / 8 };
  const variable = { path: 'o.many', type, offsetBytes: 0, hops: [] } as unknown as Variable;
  return { isCarriedBy: (frame) => frame.carries(variable) };
}

function setUp() {
  const largeReads = new FewAtATime(1);
  const frame = new Frame(STATE_BYTES, headerAt(1), new FramePages(new PageLeases(), STATE_BYTES));
  const source = { frame };
  const asked: string[] = [];
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const start = (name: string, pages: number) => {
    const account = new Ledger(new ManualClock()).open('127.0.0.1:1');
    const presence = new Presence();
    // The frame that is asked for carries all.
    const look = (): void => {
      asked.push(name);
      frame.pages?.carried.markAll();
    };
    const session = { source, account, look, takeUnanswered: () => undefined };
    const context = { source, session, largeReads, presence } as unknown as Parameters<typeof readOnce>[0];
    const answer = readOnce(context, [firstPages(pages)], () => {
      begun.push(name);
      return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
    });
    return { answer, presence };
  };
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, begun, endings, start, turn, largeReads };
}

describe('reads that make frames carry much', () => {
  it('are made one after another, and those that wait ask for nothing', async () => {
    const { asked, begun, endings, start, turn } = setUp();
    const [first, second] = [start('first', 300), start('second', 4000)];
    await turn();
    expect([asked, begun]).to.deep.equal([['first'], ['first']]);
    endings.get('first')?.();
    expect(await first.answer).to.equal('first');
    await turn();
    expect(begun).to.deep.equal(['first', 'second']);
    endings.get('second')?.();
    expect(await second.answer).to.equal('second');
  });

  it('keep no reads of less waiting', async () => {
    const { begun, endings, start, turn } = setUp();
    void start('large', 300);
    const small = start('small', 256);
    await turn();
    expect(begun).to.have.members(['large', 'small']);
    endings.get('small')?.();
    expect(await small.answer).to.equal('small');
  });

  it('leave the queue when their clients go', async () => {
    const { start, turn, largeReads } = setUp();
    void start('first', 300);
    await turn();
    const { answer, presence } = start('second', 4000);
    await turn();
    expect(largeReads.held).to.equal(1);
    presence.end();
    expect(await answer.catch((error: unknown) => error)).to.equal(GONE);
    expect(largeReads.held).to.equal(0);
  });
});
