// Cadence by wall time: grids without drift, by a clock that the test moves.
import { expect } from 'chai';
import fc from 'fast-check';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Ledger } from './account.js';
import { Timetable } from './timetable.js';
import { Turns } from './turns.js';

function setUp(startMillis = 1000) {
  const clock = new ManualClock(startMillis);
  const timetable = new Timetable(clock, new Turns());
  const calls: number[] = [];
  const note = (): void => {
    calls.push(clock.nowMillis() - startMillis);
  };
  return { clock, timetable, calls, note };
}

describe('the timetable', () => {
  it('calls in the next turn, then on every cycle', () => {
    const { clock, timetable, calls, note } = setUp();
    timetable.every(0.1, note);
    expect(calls).to.deep.equal([]);
    clock.advance(0);
    expect(calls).to.deep.equal([0]);
    clock.advance(350);
    expect(calls).to.deep.equal([0, 100, 200, 300]);
  });

  it('does not drift when every timer is late', () => {
    const { clock, timetable, calls, note } = setUp();
    timetable.every(0.1, note);
    for (let i = 0; i < 50; i++) clock.leap(i % 2 === 0 ? 107 : 93);
    // 7 ms late or on time, never later: the 50th call is for the 50th cycle.
    expect(calls).to.have.length(50);
    expect(calls.at(-1)).to.equal(5000);
    expect(calls.every((at) => [0, 7].includes(at % 100))).to.equal(true);
  });

  it('does not drift with a cycle of a fraction', () => {
    const { clock, timetable, calls, note } = setUp(123456.789);
    timetable.every(1 / 60, note);
    clock.advance(600_000);
    expect(calls).to.have.length(36_000);
    // The first call is on no grid; the others are on one grid.
    const turns = ((calls.at(-1) as number) - (calls[1] as number)) / (1000 / 60);
    expect(turns).to.be.closeTo(35_998, 1e-6);
    expect(calls.at(-1)).to.be.within(600_000 - 1000 / 60, 600_000);
  });

  it('skips what a late timer has missed and stays on its grid', () => {
    const { clock, timetable, calls, note } = setUp();
    timetable.every(0.1, note);
    clock.advance(100);
    clock.leap(730);
    clock.advance(170);
    expect(calls).to.deep.equal([0, 100, 830, 900, 1000]);
  });

  it('takes a timer that fires a little early for due, and one much early not', () => {
    const { clock, timetable, calls, note } = setUp();
    const early = new (class extends ManualClock {
      override after(delayMillis: number, call: () => void) {
        return super.after(Math.max(0, delayMillis - 0.4), call);
      }
    })(0);
    const own = new Timetable(early, new Turns());
    own.every(0.01, () => calls.push(early.nowMillis()));
    early.advance(35);
    expect(calls.map(Math.round)).to.deep.equal([0, 10, 20, 30]);
    timetable.every(1, note);
    clock.advance(999);
    expect(calls).to.have.length(5);
  });

  it('calls no more after a cancel, from within a call too', () => {
    const { clock, timetable, calls, note } = setUp();
    const cancel = timetable.every(0.1, note);
    const cancelSelf = timetable.every(0.1, () => {
      note();
      cancelSelf();
      cancelSelf();
    });
    clock.advance(100);
    expect(calls).to.deep.equal([0, 0, 100]);
    cancel();
    clock.advance(1000);
    expect(calls).to.deep.equal([0, 0, 100]);
    expect([timetable.size, clock.pending]).to.deep.equal([0, 0]);
  });

  it('calls nothing and sets no timer once it is closed', () => {
    const { clock, timetable, calls, note } = setUp();
    timetable.every(0.1, note);
    clock.advance(0);
    timetable.close();
    timetable.every(0.1, note);
    expect(clock.pending).to.equal(0);
    clock.advance(1000);
    expect(calls).to.deep.equal([0]);
  });

  it('forgets a cancelled entry at once, however long its cycle', () => {
    const { clock, timetable } = setUp();
    for (let i = 0; i < 1000; i++) {
      const cancel = timetable.every(1e9, () => {});
      clock.advance(0);
      cancel();
    }
    expect([timetable.size, clock.pending]).to.deep.equal([0, 0]);
  });

  it('goes on with the others when a call throws', () => {
    const { clock, timetable, calls, note } = setUp();
    timetable.every(0.1, () => {
      throw new Error('broken');
    });
    timetable.every(0.1, note);
    expect(() => clock.advance(0)).to.throw('broken');
    clock.advance(0);
    expect(calls).to.deep.equal([0]);
    expect(() => clock.advance(100)).to.throw('broken');
    clock.advance(0);
    expect(calls).to.deep.equal([0, 100]);
  });

  for (const cycleSeconds of [0, -1, 1e-9]) {
    it(`calls every millisecond for a cycle of ${cycleSeconds} s`, () => {
      const { clock, timetable, calls, note } = setUp();
      timetable.every(cycleSeconds, note);
      clock.advance(5);
      expect(calls).to.deep.equal([0, 1, 2, 3, 4, 5]);
    });
  }

  it('sets no timer longer than Node can', () => {
    const delays: number[] = [];
    const clock = new (class extends ManualClock {
      override after(delayMillis: number, call: () => void) {
        delays.push(delayMillis);
        return super.after(delayMillis, call);
      }
    })();
    let calls = 0;
    new Timetable(clock, new Turns()).every(1e7, () => calls++);
    clock.advance(9.9e9);
    expect([calls, Math.max(...delays)]).to.deep.equal([1, 2 ** 31 - 1]);
    clock.advance(1e8);
    expect(calls).to.equal(2);
  });

  it('calls once for an endless cycle, and refuses one that is no number', () => {
    const { clock, timetable, calls, note } = setUp();
    timetable.every(Number.POSITIVE_INFINITY, note);
    clock.advance(1e6);
    expect(calls).to.deep.equal([0]);
    expect(() => timetable.every(Number.NaN, note)).to.throw(RangeError, 'a cycle is a number of seconds, not NaN');
    expect([timetable.size, clock.pending]).to.deep.equal([1, 0]);
  });

  it('calls those that are due together in the order in which they came', () => {
    const { clock, timetable } = setUp();
    const order: number[] = [];
    for (let i = 0; i < 20; i++) timetable.every(i % 2 === 0 ? 0.1 : 0.05, () => order.push(i));
    clock.advance(0);
    expect(order).to.deep.equal(Array.from({ length: 20 }, (_, i) => i));
    order.length = 0;
    clock.advance(50);
    expect(order).to.deep.equal([1, 3, 5, 7, 9, 11, 13, 15, 17, 19]);
  });

  it('puts equal cycles on grids that are 10 ms apart or the same, whenever they start', () => {
    const { clock, timetable } = setUp(0);
    const calls: string[] = [];
    const every = (name: string, cycleMillis: number) =>
      timetable.every(cycleMillis / 1000, () => calls.push(`${name} ${clock.nowMillis()}`));
    for (const [atMillis, name, cycleMillis] of [
      [3, 'slow', 100],
      [4, 'slower', 100],
      [13, 'slowest', 100],
      [14, 'quick', 5],
      [19, 'quicker', 5],
    ] as const) {
      clock.advance(atMillis - clock.nowMillis());
      every(name, cycleMillis);
    }
    clock.advance(200 - clock.nowMillis());
    expect(calls.filter((call) => call.startsWith('slow'))).to.deep.equal([
      ...['slow 3', 'slower 4', 'slowest 13'],
      ...['slow 100', 'slower 100', 'slowest 110'],
      ...['slow 200', 'slower 200'],
    ]);
    expect(calls.filter((call) => call.startsWith('quick')).slice(0, 6)).to.deep.equal([
      ...['quick 14', 'quicker 19', 'quick 20', 'quick 25', 'quicker 25', 'quick 30'],
    ]);
  });

  it('serves thousands with one timer', () => {
    const { clock, timetable } = setUp();
    const counts = new Map<number, number>();
    const cancels = Array.from({ length: 5000 }, (_, i) =>
      timetable.every((1 + (i % 97)) / 1000, () => counts.set(i, (counts.get(i) ?? 0) + 1)),
    );
    clock.advance(0);
    for (let i = 0; i < 5000; i += 3) cancels[i]?.();
    for (let i = 0; i < 100; i++) clock.advance(1);
    expect(clock.pending).to.equal(1);
    for (let i = 0; i < 5000; i++) {
      const cycleMillis = 1 + (i % 97);
      expect(counts.get(i), `${i}`).to.be.within(
        i % 3 === 0 ? 1 : Math.floor(100 / cycleMillis),
        i % 3 === 0 ? 1 : 1 + Math.ceil(100 / cycleMillis),
      );
    }
  });

  it('calls every entry once a cycle on its grid, whatever comes, goes and is late', () => {
    const step = fc.record({
      kind: fc.constantFrom('add', 'cancel', 'advance', 'leap'),
      n: fc.integer({ min: 1, max: 60 }),
    });
    interface Live {
      readonly start: number;
      readonly cycle: number;
      cancel: () => void;
      calls: number[];
    }
    /** The moments of an entry's grid after its first call: k * cycle + phase. */
    const turnOf = ({ start, cycle }: Live, at: number): number => {
      const beat = Math.min(cycle, 10);
      const phase = (Math.round((start % cycle) / beat) * beat) % cycle;
      return Math.floor((at + 0.5 - phase) / cycle);
    };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, timetable } = setUp(0);
        const live: Live[] = [];
        for (const { kind, n } of steps) {
          if (kind === 'add') {
            const entry: Live = { start: clock.nowMillis(), cycle: n, cancel: () => {}, calls: [] };
            entry.cancel = timetable.every(n / 1000, () => {
              entry.calls.push(clock.nowMillis());
            });
            live.push(entry);
          } else if (kind === 'cancel') live.splice(n % (live.length || 1), 1)[0]?.cancel();
          else if (kind === 'advance') clock.advance(n);
          else clock.leap(n);
        }
        clock.advance(0);
        expect(timetable.size).to.equal(live.length);
        for (const entry of live) {
          const [first, second, ...others] = entry.calls as [number, number | undefined, ...number[]];
          expect(first).to.be.at.least(entry.start);
          if (second === undefined) continue;
          expect(second - entry.start).to.be.at.least(entry.cycle - Math.min(entry.cycle, 10) / 2 - 0.5);
          // Never two calls for one moment of the grid, and none later than the last.
          const turns = [second, ...others].map((at) => turnOf(entry, at));
          expect(new Set(turns).size).to.equal(turns.length);
          expect(turns.at(-1)).to.equal(turnOf(entry, clock.nowMillis()));
        }
      }),
    );
  });
});

describe('the timetable with more to do than time', () => {
  let clock: ManualClock;
  let later: (() => void)[];
  let spent: number;
  let timetable: Timetable;
  let ledger: Ledger;
  const nextTurn = (): void => {
    for (const call of later.splice(0)) call();
  };

  beforeEach(() => {
    clock = new ManualClock(0);
    [later, spent] = [[], 0];
    const turns = new Turns(
      () => clock.nowMillis() + spent,
      (call) => later.push(call),
    );
    timetable = new Timetable(clock, turns);
    ledger = new Ledger(clock);
  });

  it('calls in turns, and skips what is due again before its turn', () => {
    const calls: string[] = [];
    for (const name of ['a', 'b', 'c'])
      timetable.every(
        0.01,
        () => {
          calls.push(name);
          spent += 6;
        },
        0,
        ledger.open(name),
      );
    clock.advance(0);
    expect(calls).to.deep.equal(['a']);
    clock.advance(10);
    expect([calls, timetable.skipped]).to.deep.equal([['a'], 2]);
    nextTurn();
    nextTurn();
    nextTurn();
    expect(calls.slice(0, 4).sort()).to.deep.equal(['a', 'a', 'b', 'c']);
  });

  it('does not call in its turn what has been cancelled meanwhile', () => {
    const calls: string[] = [];
    const add = (name: string) =>
      timetable.every(
        0.01,
        () => {
          calls.push(name);
          spent += 6;
        },
        0,
        ledger.open(name),
      );
    add('a');
    const cancel = add('b');
    clock.advance(0);
    cancel();
    nextTurn();
    expect(calls).to.deep.equal(['a']);
  });

  it('calls what belongs to nobody in its time', () => {
    let calls = 0;
    timetable.every(0.01, () => (spent += 50), 0, ledger.open('busy'));
    timetable.every(0.01, () => calls++);
    clock.advance(0);
    expect(calls).to.equal(1);
  });
});
