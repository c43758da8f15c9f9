// Reads that make frames carry much wait for each other; others do not.
import { expect } from 'chai';
import { Ledger } from '../../serving/scheduling/account.js';
import { FewAtATime } from '../../serving/scheduling/few-at-a-time.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import type { CallContext } from './call-context.js';
import { inItsTurn } from './large-reads.js';
import { Presence } from './presence.js';

type Context = Parameters<typeof inItsTurn>[0];

const NAMED = [{ isShownIn: () => true }];

function setUp() {
  const largeReads = new FewAtATime(1);
  const clock = new ManualClock();
  const asked: string[] = [];
  const begun: string[] = [];
  const endings = new Map<string, () => void>();
  const contextOf = (name: string, pages: number): Context =>
    ({
      source: {},
      account: new Ledger(clock).open('127.0.0.1:1'),
      largeReads,
      clock,
      presence: new Presence(),
      session: {
        takeUnanswered: () => undefined,
        canShow: (shown: unknown[], mayAsk = (_: number) => true) => {
          if (shown.length === 0) return true;
          const isAsked = mayAsk(pages);
          if (isAsked) asked.push(name);
          return isAsked;
        },
      },
    }) as unknown as CallContext;
  const start = (name: string, pages: number) =>
    inItsTurn(contextOf(name, pages), NAMED, () => {
      begun.push(name);
      return new Promise<string>((resolve) => endings.set(name, () => resolve(name)));
    });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return { asked, begun, endings, start, turn, clock };
}

describe('reads that make frames carry much', () => {
  it('are made one after another, and those that wait ask for nothing', async () => {
    const { asked, begun, endings, start, turn, clock } = setUp();
    const [first, second] = [start('first', 300), start('second', 4000)];
    await turn();
    expect([asked, begun]).to.deep.equal([['first'], ['first']]);
    endings.get('first')?.();
    expect(await first).to.equal('first');
    clock.advance(199);
    await turn();
    expect(begun).to.deep.equal(['first']);
    clock.advance(1);
    await turn();
    expect([asked, begun]).to.deep.equal([
      ['first', 'second'],
      ['first', 'second'],
    ]);
    endings.get('second')?.();
    expect(await second).to.equal('second');
  });

  it('keep no reads of less waiting', async () => {
    const { begun, endings, start, turn } = setUp();
    void start('large', 300);
    const small = start('small', 256);
    await turn();
    expect(begun).to.have.members(['large', 'small']);
    endings.get('small')?.();
    expect(await small).to.equal('small');
  });
});
