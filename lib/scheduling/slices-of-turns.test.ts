// A client of many short pieces beside many clients of long work: it uses the whole slice that it has waited for.
import { expect } from 'chai';
import { TurnLoop } from '../testing/aids/turn-loop.js';
import type { Account } from './account.js';
import { Turns } from './turns.js';

const HEAVY = 100;
const PIECES = 40;
const PIECE_MILLIS = 0.05;

describe('a slice of a turn', () => {
  let loop: TurnLoop;
  let turns: Turns;

  beforeEach(() => {
    loop = new TurnLoop();
    turns = new Turns(loop.time);
    for (let k = 0; k < HEAVY; k++) keepBusy(loop.ledger.open(`10.0.${k}.1:1`));
  });

  it('comes before those of a thousand addresses that have used more', async () => {
    for (let k = 0; k < 900; k++) keepBusy(loop.ledger.open(`10.2.${k >> 8}.${k & 255}:1`));
    for (let k = 0; k < 3000; k++) await turn();
    let isDone = false;
    const account = loop.ledger.open('10.1.0.1:1');
    void (async () => {
      // As requests do: only the first pieces go before long work.
      for (let k = 0; k < 5 * PIECES; k++) await turns.run(account, short, k >= 6);
      isDone = true;
    })();
    const before = loop.now;
    while (!isDone && loop.now - before < 60_000) await turn();
    // A round of the others takes more than a second.
    expect(loop.now - before).to.be.below(1000);
  });

  /** Each piece takes a millisecond, and there is always another one. */
  function keepBusy(account: Account): void {
    turns.resume(account, () => {
      loop.now += 1;
      keepBusy(account);
    });
  }

  // biome-ignore lint/correctness/useYield: it is short
  function* short(): Generator<void, void> {
    loop.now += PIECE_MILLIS;
  }

  /** Runs a turn of the event loop, and what its promises cause; returns how long that took. */
  async function turn(): Promise<number> {
    const before = loop.now;
    loop.turn();
    for (let k = 0; k < 4 * PIECES; k++) await Promise.resolve();
    return loop.now - before;
  }

  it('is used for the short pieces that follow each other', async () => {
    for (let k = 0; k < 2 * HEAVY; k++) await turn();
    let isDone = false;
    const account = loop.ledger.open('10.1.0.1:1');
    void (async () => {
      for (let k = 0; k < PIECES; k++) await turns.run(account, short, true);
      isDone = true;
    })();
    let count = 0;
    let longestMillis = 0;
    for (; !isDone && count < 10 * HEAVY; count++) longestMillis = Math.max(longestMillis, await turn());
    // Without it each piece needs a turn of its own, or half of one.
    expect(count).to.be.below(PIECES / 4);
    // The turn, one piece of another queue, one of another network, and what goes on.
    expect(longestMillis).to.be.below(2.25 + 1 + 1 + 0.5 + PIECE_MILLIS);
  });
});
