// Requests to the executive: when they take effect and what they answer.
import { expect } from 'chai';
import { Mode, Reason } from '../../model/frame/header.js';
import { double, int, pointer, struct } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Control, Request } from './request.js';
import type { Sim } from './simulation.js';

const write = (...writes: readonly (readonly [path: string, value: number])[]): Request => ({
  kind: 'write',
  writes: writes.map(([path, value]) => ({ path, value })),
});
const control = (action: Control): Request => ({ kind: 'control', control: action });
const call = (name: string, ...values: readonly number[]): Request => ({ kind: 'call', name, values });

function twoNumbers(sim: Sim): void {
  const o = sim.object('o');
  o.component('x', double(), 1);
  o.component('n', int(), 1);
  o.component('fixed', double({ access: 'read-only' }), 1);
  o.component('aim', pointer(double()));
}

describe('requests', () => {
  it('are applied in order, share one frame, and are answered with its number', async () => {
    const run = await TestRun.start({}, twoNumbers);
    const outcomes = run.ask(write(['o.x', 2]), write(['o.x', 3], ['o.n', 4]), control({ action: 'freeze' }));
    expect(outcomes).to.deep.equal([{ frame: 2 }, { frame: 2 }, { frame: 2 }]);
    expect(run.frames.length).to.equal(2);
    expect(run.last.header).to.include({ number: 2, reason: Reason.request, mode: Mode.freeze, tick: 0 });
    expect([run.last.value('o.x'), run.last.value('o.n')]).to.deep.equal([3, 4]);
  });

  it('wait for the turn between two frames and are seen before the next one runs', async () => {
    const run = await TestRun.start({}, (sim) => {
      const x = sim.object('o').component('x', double());
      sim.job(0.01, () => {
        x.value += 1;
      });
    });
    run.ticks(1);
    const outcomes: unknown[] = [];
    run.running.submit(write(['o.x', 100]), (outcome) => outcomes.push(outcome));
    run.ticks(1);
    expect(outcomes).to.deep.equal([{ frame: 3 }]);
    expect(run.frames.map((frame) => frame.value('o.x'))).to.deep.equal([0, 1, 100, 101]);
  });

  it('check a write again unless it was checked by the present catalog', async () => {
    const run = await TestRun.start({}, twoNumbers);
    const { catalogVersion } = run.last.header;
    const checkedBy = (version: number): Request => ({
      kind: 'write',
      writes: [{ path: 'o.fixed', value: 5, catalogVersion: version }],
    });
    expect(run.ask(checkedBy(catalogVersion - 1))).to.deep.equal([{ error: 'o.fixed is read-only' }]);
    // No client can send such a write; that it is accepted shows that it is not checked twice.
    expect(run.ask(checkedBy(catalogVersion))).to.deep.equal([{ frame: 2 }]);
    expect(run.last.value('o.fixed')).to.equal(5);
  });

  it('change nothing when one write of several does not fit', async () => {
    const run = await TestRun.start({}, twoNumbers);
    const refused = [
      [write(['o.x', 5], ['o.y', 1]), /o has no .*y/],
      [write(['o.x', 5], ['o.fixed', 1]), /^o\.fixed is read-only$/],
      [write(['o.x', 5], ['o.aim[0]', 1]), /^o\.aim\[0\] is not there/],
      [
        {
          kind: 'write',
          writes: [
            { path: 'o.x', value: 5 },
            { path: 'o.n', value: 'five' },
          ],
        },
        /o\.n .*int/,
      ],
    ] as const;
    for (const [request, sentence] of refused) {
      const [outcome] = run.ask(request as Request);
      expect((outcome as { error: string }).error).to.match(sentence);
    }
    expect(run.frames.length).to.equal(1);
    run.ticks(1);
    expect([run.last.value('o.x'), run.last.value('o.n')]).to.deep.equal([1, 1]);
  });

  describe('of many writes', () => {
    /** Three thousand writes in one request, over a clock that goes on whenever it is looked at. */
    async function start(writes: readonly (readonly [path: string, value: number])[]) {
      const run = await TestRun.start({}, (sim) => {
        twoNumbers(sim);
        sim.object('many').component('numbers', double(3000));
      });
      let now = 0;
      Object.defineProperty(run, 'nowMillis', { get: () => (now += 0.1) });
      const outcomes: unknown[] = [];
      run.running.submit(write(...writes), (outcome) => outcomes.push(outcome));
      run.running.submit(write(['o.n', 8]), (outcome) => outcomes.push(outcome));
      const read = () => ['many.numbers[0]', 'many.numbers[2999]', 'o.n'].map((path) => run.last.value(path));
      return { run, outcomes, read };
    }
    const all = Array.from({ length: 3000 }, (_, k) => [`many.numbers[${k}]`, k + 1] as const);

    it('are made ready in slices, done at once, and stay before those that come later', async () => {
      const { run, outcomes, read } = await start(all);
      run.running.applyRequests();
      run.running.applyRequests();
      expect([outcomes, read(), run.frames.length]).to.deep.equal([[], [0, 0, 1], 1]);
      for (let turn = 0; turn < 10; turn++) run.running.applyRequests();
      expect(read()).to.deep.equal([1, 3000, 8]);
      expect(outcomes[0]).to.deep.equal({ frame: 2 });
      expect(outcomes).to.have.length(2);
    });

    it('are made ready anew when objects change meanwhile', async () => {
      const { run, outcomes, read } = await start(all);
      run.running.applyRequests();
      run.sim.object('later').component('x', double());
      for (let turn = 0; turn < 12; turn++) run.running.applyRequests();
      expect([outcomes.length, ...read()]).to.deep.equal([2, 1, 3000, 8]);
    });

    it('stay ready when other objects change', async () => {
      const turnsWith = async (change: (run: TestRun, turn: number) => void): Promise<number> => {
        const { run, outcomes } = await start(all);
        let turns = 0;
        for (; outcomes.length < 2; turns++) {
          run.running.applyRequests();
          change(run, turns);
        }
        return turns;
      };
      const undisturbed = await turnsWith(() => undefined);
      const disturbed = await turnsWith((run, turn) => run.sim.object(`later${turn}`).component('x', double()));
      expect(disturbed).to.equal(undisturbed);
    });

    it('go where their variables lie when these are made again meanwhile', async () => {
      const { run, outcomes, read } = await start(all);
      run.running.applyRequests();
      const { state } = run.running;
      state.object('many').remove('numbers');
      state.object('many').component('first', double(100));
      state.object('many').component('numbers', double(3000));
      for (let turn = 0; turn < 12; turn++) run.running.applyRequests();
      expect([outcomes.length, ...read()]).to.deep.equal([2, 1, 3000, 8]);
      expect(run.last.value('many.first[0]')).to.equal(0);
    });

    it('are done also when objects change in every turn', async () => {
      const { run, outcomes } = await start(all);
      for (let turn = 0; turn < 8; turn++) {
        run.running.applyRequests();
        run.sim.object(`later${turn}`).component('x', double());
      }
      expect(outcomes.length).to.equal(2);
    });

    it('change nothing when the last of them does not fit', async () => {
      const { run, outcomes, read } = await start([...all, ['o.fixed', 1]]);
      for (let turn = 0; turn < 12; turn++) run.running.applyRequests();
      expect(outcomes[0]).to.deep.equal({ error: 'o.fixed is read-only' });
      expect(read()).to.deep.equal([0, 0, 8]);
    });
  });

  it('that fail do not touch the others of their batch', async () => {
    const run = await TestRun.start({}, twoNumbers);
    const [good, bad, alsoGood] = run.ask(
      write(['o.x', 2]),
      control({ action: 'clock-ratio', ratio: 0 }),
      write(['o.n', 3]),
    );
    expect([good, alsoGood]).to.deep.equal([{ frame: 2 }, { frame: 2 }]);
    expect(bad).to.deep.equal({ error: 'a clock ratio is a number above 0, not 0' });
    expect([run.last.value('o.x'), run.last.value('o.n')]).to.deep.equal([2, 3]);
  });

  it('for a schedule make no frame of their own', async () => {
    const run = await TestRun.start({});
    expect(run.ask({ kind: 'schedule', periodTics: 5000, hold: true })).to.deep.equal([{ frame: 1 }]);
    run.ticks(1);
    expect(run.frames.map(({ header }) => header.timeTics)).to.deep.equal([0, 0, 5000, 10_000]);
  });

  it('refuse times, steps and frames that make no sense, with a sentence', async () => {
    const run = await TestRun.start({});
    run.ticks(5);
    const outcomes = run.ask(
      control({ action: 'freeze', atSeconds: 0.01 }),
      control({ action: 'stop', atSeconds: Number.NaN }),
      control({ action: 'step', frames: 0 }),
      control({ action: 'software-frame', seconds: 0 }),
      control({ action: 'freeze-frame', seconds: -1 }),
    );
    expect(outcomes).to.deep.equal([
      { error: 'cannot freeze at 0.01 s, simulation time is 0.05 s already' },
      { error: 'a terminate time is a number of seconds' },
      { error: 'a step is a whole number of frames from 1 up, not 0' },
      { error: 'a software frame is a time in seconds from 1e-6 up, not 0' },
      { error: 'a freeze frame is a time in seconds from 1e-6 up, not -1' },
    ]);
    expect([run.frames.length, run.last.header.mode]).to.deep.equal([6, Mode.run]);
  });

  it('freeze at a time', async () => {
    const run = await TestRun.start({});
    run.ask(control({ action: 'freeze', atSeconds: 0.025 }));
    run.pass(500);
    expect(run.last.header).to.include({ mode: Mode.freeze, timeTics: 30_000 });
  });

  it('switch real time off and on', async () => {
    const run = await TestRun.start({});
    run.ask(control({ action: 'real-time', enabled: false }));
    expect(run.running.turn()).to.equal(0);
    run.ask(control({ action: 'real-time', enabled: true }));
    run.pass(100);
    expect(run.last.header.tick).to.equal(11);
  });
});

describe('a call', () => {
  it('answers with what the function returned and the frame that shows what it did', async () => {
    const run = await TestRun.start({}, (sim) => {
      const x = sim.object('o').component('x', double(2), [1, 2]);
      sim.function('shift', (by: number) => {
        x[0] += by;
        return x;
      });
    });
    expect(run.ask(call('shift', 5))).to.deep.equal([{ frame: 2, value: [6, 2] }]);
    expect(run.last.value('o.x')).to.deep.equal([6, 2]);
  });

  it('names the nearest function when there is none of that name', async () => {
    const run = await TestRun.start({}, (sim) => sim.function('kick', () => {}));
    expect(run.ask(call('kcik'))).to.deep.equal([{ error: 'there is no function kcik; did you mean kick?' }]);
  });

  it('that throws answers with the sentence, freezes nothing, and shows what it had done', async () => {
    const run = await TestRun.start({}, (sim) => {
      const x = sim.object('o').component('x', double());
      sim.function('fire', () => {
        x.value = 5;
        throw new Error('no ammunition');
      });
    });
    expect(run.ask(call('fire'))).to.deep.equal([{ error: 'function fire failed: no ammunition' }]);
    expect([run.last.header.number, run.last.header.mode, run.last.value('o.x')]).to.deep.equal([2, Mode.run, 5]);
  });

  it('refuses an answer that is no data', async () => {
    const run = await TestRun.start({}, (sim) => sim.function('odd', () => () => 1));
    expect(run.ask(call('odd'))).to.deep.equal([
      { error: 'function odd failed: what it returned is a function, not a plain value' },
    ]);
  });

  it('does not wait for a promise, and says when that fails', async () => {
    const run = await TestRun.start({}, (sim) =>
      sim.function('later', async () => Promise.reject(new Error('too late'))),
    );
    expect(run.ask(call('later'))).to.deep.equal([{ frame: 2 }]);
    await new Promise(setImmediate);
    expect(run.said).to.deep.equal(['0 error: function later failed: too late']);
  });
});

describe('a write to mirrored state', () => {
  const Pair = struct('Pair', { a: double(), b: double() });
  const bodies = () => {
    const first = { a: 1, b: 2 };
    const second = { a: 3, b: 4 };
    const build = (sim: Sim) => {
      const o = sim.object('o');
      o.component('plain', double(), 0);
      o.mirror('first', Pair, { get: () => first, set: ({ a, b }) => void Object.assign(first, { a, b }) });
      o.mirror('second', Pair, {
        get: () => second,
        set: ({ a, b }) => {
          if (a < 0) throw new RangeError('second.a is a number from 0 up');
          Object.assign(second, { a, b });
        },
      });
      o.mirror('seen', double(), { get: () => first.a });
      sim.function('move', () => {
        first.b = 20;
      });
    };
    return { first, second, build };
  };

  it('reaches its owner and shows in the frame', async () => {
    const { first, build } = bodies();
    const run = await TestRun.start({}, build);
    run.write('o.first.a', 10);
    expect(first).to.deep.equal({ a: 10, b: 2 });
    expect([run.last.value('o.first.a'), run.last.value('o.seen')]).to.deep.equal([10, 10]);
  });

  it('keeps what has changed elsewhere since the last frame', async () => {
    const { first, build } = bodies();
    const run = await TestRun.start({}, build);
    run.ask(call('move'), write(['o.first.a', 10]));
    expect(first).to.deep.equal({ a: 10, b: 20 });
  });

  it('undoes the whole request when a setter refuses', async () => {
    const { first, second, build } = bodies();
    const run = await TestRun.start({}, build);
    const outcomes = run.ask(write(['o.plain', 5], ['o.first.a', 10], ['o.second.a', -1]));
    expect(outcomes).to.deep.equal([{ error: 'second.a is a number from 0 up' }]);
    expect([first, second]).to.deep.equal([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
    run.ticks(1);
    expect([run.last.value('o.plain'), run.last.value('o.second.a')]).to.deep.equal([0, 3]);
  });

  it('waits for the next frame when those before it took too long', async () => {
    let took = 0;
    const run = await TestRun.start({}, (sim) => {
      sim.function('slow', () => {
        took++;
        run.nowMillis += 1.5;
      });
    });
    const outcomes: unknown[] = [];
    for (let i = 0; i < 5; i++)
      run.running.submit({ kind: 'call', name: 'slow', values: [] }, (outcome) => outcomes.push(outcome));
    expect(run.running.turn()).to.equal(0);
    expect([took, outcomes.length]).to.deep.equal([2, 2]);
    run.running.turn();
    expect([took, outcomes.length]).to.deep.equal([4, 4]);
    run.running.turn();
    expect([took, outcomes.length]).to.deep.equal([5, 5]);
  });

  it('is refused without a setter', async () => {
    const run = await TestRun.start({}, bodies().build);
    expect(run.write('o.seen', 1)).to.deep.equal({ error: 'o.seen is read-only' });
  });
});
