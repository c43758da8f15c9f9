// Writes that leave together at the end of a turn of the event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { TurnEnd } from './turn-end.js';

describe('writes at the end of a turn', () => {
  /** Each flush takes this long. */
  const FLUSH_MILLIS = 0.05;
  let nowMillis = 0;
  let turnEnd = new TurnEnd(() => nowMillis);
  beforeEach(() => {
    turnEnd = new TurnEnd(() => nowMillis);
  });

  /** Asks for a flush of each name; the flush records the name. */
  function write(names: readonly string[], flushed: string[]): void {
    const flush = (name: string): void => {
      nowMillis += FLUSH_MILLIS;
      flushed.push(name);
    };
    for (const name of names) turnEnd.add({ flush: () => flush(name) });
  }
  const updates = (count: number): string[] => Array.from({ length: count }, (_, index) => `update ${index}`);

  it('leave when what the present event has set off is over, in order', async () => {
    const flushed: string[] = [];
    write(['a', 'b'], flushed);
    expect(flushed).to.deep.equal([]);
    await new Promise<void>((resolve) => process.nextTick(resolve));
    expect(flushed).to.deep.equal(['a', 'b']);
  });

  it('of many sockets give way, so that an answer does not wait for all of them', async () => {
    const flushed: string[] = [];
    write(updates(100), flushed);
    await nextTurn();
    write(['answer'], flushed);
    for (let turn = 0; turn < 20 && flushed.length < 101; turn++) await nextTurn();
    expect(flushed.indexOf('answer')).to.be.within(1, 50);
    expect(flushed.filter((name) => name !== 'answer')).to.deep.equal(updates(100));
  });

  it('of one turn and the next keep their order', async () => {
    const flushed: string[] = [];
    write(updates(40), flushed);
    await nextTurn();
    write(updates(80).slice(40), flushed);
    for (let turn = 0; turn < 20 && flushed.length < 80; turn++) await nextTurn();
    expect([...flushed].sort()).to.deep.equal(updates(80).sort());
    expect(flushed.indexOf('update 39')).to.be.lessThan(flushed.indexOf('update 79'));
  });

  it('of a client that writes while it is flushed come in the next turn', async () => {
    const flushed: string[] = [];
    turnEnd.add({
      flush: () => {
        flushed.push('first');
        write(['second'], flushed);
      },
    });
    await nextTurn();
    expect(flushed).to.deep.equal(['first', 'second']);
  });
});
