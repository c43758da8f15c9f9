// A running simulation: its frames, its catalog and its messages.
import { expect } from 'chai';
import { Mode, Reason } from '../../model/frame/header.js';
import { double, longLong } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Control } from './request.js';
import type { Sim } from './simulation.js';

const control = (action: Control) => ({ kind: 'control', control: action }) as const;

function counting(sim: Sim): void {
  const counter = sim.object('o').component('count', longLong());
  sim.job(0.01, function count() {
    counter.value += 1n;
  });
}

describe('a running simulation', () => {
  it('builds with a promise, its arguments and the time 0, and publishes the first frame', async () => {
    const run = await TestRun.start({}, async (sim) => {
      await Promise.resolve();
      sim.object('o').component('x', double(), 1.5);
      expect([sim.arguments, sim.timeSeconds]).to.deep.equal([['--fast'], 0]);
    });
    expect(run.frames.length).to.equal(1);
    expect(run.last.header).to.include({
      number: 1,
      tick: 0,
      timeTics: 0,
      mode: Mode.run,
      reason: Reason.tick,
      frameCount: 0,
    });
    expect(run.last.value('o.x')).to.equal(1.5);
  });

  it('rejects with what its build throws', async () => {
    let thrown: unknown;
    await TestRun.start({}, () => {
      throw new Error('no gravity file');
    }).catch((error) => {
      thrown = error;
    });
    expect((thrown as Error).message).to.equal('no gravity file');
  });

  it('rejects when a mirrored component cannot be read to begin with', async () => {
    let thrown: unknown;
    await TestRun.start({}, (sim) => {
      sim.object('o').mirror('x', double(), { get: () => 'high' as never });
    }).catch((error) => {
      thrown = error;
    });
    expect((thrown as Error).message).to.match(/^o\.x cannot be read: .*double/);
  });

  it('starts frozen when it is told to, and by its own build', async () => {
    expect((await TestRun.start({ startFrozen: true })).last.header.mode).to.equal(Mode.freeze);
    expect((await TestRun.start({}, (sim) => sim.freeze())).last.header.mode).to.equal(Mode.freeze);
  });

  it('runs a frame at each multiple of the frame length, in real time', async () => {
    const run = await TestRun.start({}, counting);
    run.pass(1000);
    expect(run.last.header).to.include({ tick: 100, frameCount: 100, timeTics: 1_000_000 });
    expect(run.last.value('o.count')).to.equal(100n);
    expect(run.running.pacer.overrunCount).to.equal(0);
  });

  it('runs without pauses as fast as possible', async () => {
    const run = await TestRun.start({ realTime: false }, counting);
    expect([run.running.turn(), run.running.turn(), run.running.turn()]).to.deep.equal([0, 0, 0]);
    expect([run.nowMillis, run.last.header.tick]).to.deep.equal([0, 3]);
  });

  it('counts real time from the end of a freeze, whoever ends it', async () => {
    const run = await TestRun.start({ startFrozen: true }, counting);
    run.pass(60_000);
    run.ask(control({ action: 'run' }));
    run.pass(95);
    expect(run.last.header.tick).to.equal(10);
    run.sim.freeze();
    run.pass(60_000);
    run.sim.run();
    run.pass(95);
    expect(run.last.header.tick).to.equal(20);
  });

  it('makes a frame each freeze frame while time stands, and only one after it was held up', async () => {
    const run = await TestRun.start({ startFrozen: true, freezeFrameSeconds: 0.5 });
    run.pass(2100);
    const freezes = run.frames.filter(({ header }) => header.reason === Reason.freeze);
    expect(freezes.map(({ header }) => header.freezeTimeTics)).to.deep.equal([
      500_000, 1_000_000, 1_500_000, 2_000_000,
    ]);
    run.nowMillis += 3_600_000;
    run.pass(600);
    expect(run.last.header).to.include({ freezeFrameCount: 7, timeTics: 0 });
    run.ask(control({ action: 'freeze-frame', seconds: 0.1 }));
    run.pass(1000);
    expect(run.last.header.freezeFrameCount).to.be.within(16, 18);
  });

  it('gives the lost time up after a long suspension', async () => {
    const run = await TestRun.start({}, counting);
    run.pass(100);
    run.nowMillis += 3_600_000;
    run.pass(100);
    expect(run.last.header.tick).to.be.within(19, 21);
  });

  it('follows a clock ratio from the moment it is set', async () => {
    const run = await TestRun.start({}, counting);
    run.pass(1000);
    run.ask(control({ action: 'clock-ratio', ratio: 4 }));
    run.pass(1000);
    expect(run.last.header.tick).to.be.within(499, 501);
    run.ask(control({ action: 'clock-ratio', ratio: 0.5 }));
    run.pass(1000);
    expect(run.last.header.tick).to.be.within(549, 551);
    expect(run.last.header.clockRatio).to.equal(0.5);
    run.ask(control({ action: 'real-time', enabled: false }));
    expect(run.last.header.clockRatio).to.equal(0);
  });

  it('steps so many frames and freezes', async () => {
    const run = await TestRun.start({ startFrozen: true }, counting);
    run.ask(control({ action: 'step', frames: 3 }));
    expect(run.last.header.mode).to.equal(Mode.step);
    run.pass(100);
    expect(run.last.header).to.include({ tick: 3, mode: Mode.freeze });
  });

  it('freezes with the error shown when a job throws, takes requests, and goes on at run', async () => {
    let isBroken = true;
    const run = await TestRun.start({}, (sim) => {
      counting(sim);
      sim.job(0.05, function pump() {
        if (isBroken && sim.timeSeconds > 0) throw new Error('no pressure');
      });
    });
    run.pass(1000);
    expect(run.said).to.deep.equal(['0.05 error: job pump failed: no pressure; the simulation is frozen']);
    expect(run.last.header).to.include({ mode: Mode.freeze, timeTics: 60_000 });
    expect(run.write('o.count', 0n)).to.deep.equal({ frame: run.last.header.number });
    isBroken = false;
    run.ask(control({ action: 'run' }));
    run.pass(95);
    expect(run.last.header).to.include({ mode: Mode.run, tick: 16 });
    expect(run.last.value('o.count')).to.equal(10n);
  });

  it('freezes when a mirrored component cannot be read, keeps its value, and says so once', async () => {
    let read = (): number => 1;
    const run = await TestRun.start({}, (sim) => sim.object('o').mirror('x', double(), { get: () => read() }));
    let calls = 0;
    read = () => {
      throw new Error(`no sensor, call ${++calls}`);
    };
    run.ticks(1);
    read = () => {
      throw new Error('no sensor');
    };
    run.pass(10_000);
    expect(run.last.header.mode).to.equal(Mode.freeze);
    expect(run.last.value('trick_sys.sched.mode')).to.equal(Mode.freeze);
    expect(run.last.value('o.x')).to.equal(1);
    expect(run.said).to.deep.equal([
      '0.01 error: o.x cannot be read: no sensor, call 1; the simulation is frozen',
      '0.01 error: o.x cannot be read: no sensor; the simulation is frozen',
    ]);
    read = () => 2;
    run.ask(control({ action: 'run' }));
    run.ticks(1);
    expect([run.last.header.mode, run.last.value('o.x')]).to.deep.equal([Mode.run, 2]);
  });

  it('freezes for an error outside its jobs', async () => {
    const run = await TestRun.start({});
    run.running.fail(new Error('the simulation failed: no file'));
    expect(run.last.header).to.include({ mode: Mode.freeze, reason: Reason.request });
    expect(run.said).to.deep.equal(['0 error: the simulation failed: no file; the simulation is frozen']);
  });

  it('goes on with turns when its clock throws', async () => {
    let isBroken = false;
    const seconds = (elapsed: number): number => {
      if (isBroken) throw new Error('no leap seconds');
      return elapsed;
    };
    const run = await TestRun.start({ clock: { label: 'UTC', seconds } });
    isBroken = true;
    expect(run.running.turn()).to.equal(1000);
    expect(run.said).to.deep.equal(['0.01 error: no leap seconds; the simulation is frozen']);
    isBroken = false;
    run.ask(control({ action: 'run' }));
    run.ticks(1);
    expect(run.last.header.mode).to.equal(Mode.run);
  });

  it('shows the exit mode in its last frame and ends once, at its terminate time', async () => {
    const run = await TestRun.start({ terminateSeconds: 0.05 }, counting);
    run.pass(1000);
    expect(run.last.header).to.include({ mode: Mode.exit, tick: 5 });
    expect(run.ended).to.deep.equal(['the simulation has reached its terminate time']);
    const { length } = run.frames;
    expect([run.running.turn(), run.running.isOver]).to.deep.equal([Number.POSITIVE_INFINITY, true]);
    run.ticks(1);
    expect(run.frames.length).to.equal(length);
  });

  it('ends when a job, a client or its build stops it', async () => {
    const byJob = await TestRun.start({}, (sim) => {
      sim.job(0.01, () => sim.timeSeconds >= 0.02 && sim.stop());
    });
    byJob.pass(1000);
    expect([byJob.ended, byJob.last.header.timeTics]).to.deep.equal([['stopped by the simulation'], 30_000]);
    const byClient = await TestRun.start({});
    byClient.ask(control({ action: 'stop' }));
    expect([byClient.ended, byClient.last.header.mode]).to.deep.equal([['stopped by a client'], Mode.exit]);
    const byBuild = await TestRun.start({}, (sim) => sim.stop());
    byBuild.pass(10);
    expect([byBuild.ended, byBuild.last.header.tick]).to.deep.equal([['stopped by the simulation'], 0]);
  });

  it('ends at a time, and with a code and a reason', async () => {
    const run = await TestRun.start({});
    run.ask(control({ action: 'stop', atSeconds: 0.03 }));
    run.pass(1000);
    expect([run.last.header.timeTics, run.ended.length]).to.deep.equal([30_000, 1]);
    const other = await TestRun.start({ startFrozen: true });
    other.ask(control({ action: 'terminate', code: 3, reason: 'no fuel' }));
    expect(other.ended).to.deep.equal(['terminated with code 3: no fuel']);
  });

  it('shows what its clock shows', async () => {
    const startTai = 1_700_000_037;
    const run = await TestRun.start({ clock: { label: 'TAI', seconds: (elapsed) => startTai + elapsed } });
    run.ticks(150);
    expect(run.last.header).to.include({ clockSeconds: startTai + 1.5, timeTics: 1_500_000 });
    const plain = await TestRun.start({});
    plain.ticks(150);
    expect(plain.last.header.clockSeconds).to.equal(1.5);
  });

  it('refuses jobs without a proper period or phase', async () => {
    const { sim } = await TestRun.start({});
    for (const period of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => sim.job(period, () => {}, { name: 'pump' })).to.throw(
        `job pump needs a period in seconds from 1e-6 up, not ${period}`,
      );
    }
    expect(() => sim.job(1, () => {}, { name: 'pump', phaseSeconds: -1 })).to.throw(
      'job pump needs a phase in seconds from 0 up, not -1',
    );
  });

  it('runs a job that was added late also when time has gone back to before that, and no early phase', async () => {
    const times: number[] = [];
    const run = await TestRun.start({}, (sim) => {
      sim.job(0.01, () => times.push(-sim.timeSeconds), { phaseSeconds: 0.03 });
    });
    run.ticks(5);
    run.sim.job(0.02, () => times.push(run.sim.timeSeconds), { name: 'late', phaseSeconds: 0.01 });
    times.length = 0;
    run.running.executive.continueFrom(0, 0);
    run.ticks(4);
    expect(times).to.deep.equal([0, 0.02, -0.03]);
  });

  it('takes a job out that is removed', async () => {
    let calls = 0;
    const run = await TestRun.start({}, (sim) => {
      const job = sim.job(0.01, () => {
        if (++calls === 3) job.remove();
      });
    });
    run.ticks(10);
    expect(calls).to.equal(3);
  });
});

describe('the catalog of a running simulation', () => {
  it('comes before the first frame laid out by it, and each frame is read by its own', async () => {
    const run = await TestRun.start({}, (sim) => {
      sim.object('o').component('x', double(), 1);
    });
    const [first] = run.frames;
    run.sim.object('late').component('y', double(), 2);
    run.ticks(1);
    const second = run.last;
    run.sim.removeObject('o');
    run.ticks(1);
    expect([first?.value('o.x'), first?.value('late.y')]).to.deep.equal([1, undefined]);
    expect([second.value('o.x'), second.value('late.y')]).to.deep.equal([1, 2]);
    expect([run.last.value('o.x'), run.last.value('late.y')]).to.deep.equal([undefined, 2]);
    const seen = run.log.filter((line, index) => line !== run.log[index - 1]);
    const versions = run.layouts.map(({ catalog }) => catalog.version);
    expect(seen).to.deep.equal(versions.flatMap((version) => [`layout ${version}`, `frame ${version}`]));
    expect(versions.length).to.equal(3);
  });

  it('changes within a frame, too: the scheduled copy is laid out by what there is then', async () => {
    const run = await TestRun.start({}, (sim) => {
      sim.job(0.01, () => sim.timeSeconds === 0.01 && sim.object('born').component('x', double(), 7), {
        phaseSeconds: 0.005,
      });
      sim.job(0.005, () => sim.timeSeconds === 0.005 && sim.object('early').component('x', double(), 6));
    });
    run.ask({ kind: 'schedule', periodTics: 5000, hold: true });
    run.ticks(1);
    const scheduled = run.frames.filter(({ header }) => header.reason === Reason.scheduled);
    expect(scheduled.map((frame) => frame.value('early.x'))).to.deep.equal([undefined, 6]);
  });

  it('keeps its ring while the state fits, and gets a new one when the arena has grown out of it', async () => {
    const run = await TestRun.start({});
    run.sim.object('small').component('x', double());
    run.ticks(1);
    expect(run.layouts.map(({ ringNumber }) => ringNumber)).to.deep.equal([1, 1]);
    run.sim.object('large').component('cells', double(10_000)).fill(3);
    run.ticks(2);
    expect(run.layouts.map(({ ringNumber, firstFrame }) => [ringNumber, firstFrame])).to.deep.equal([
      [1, 1],
      [1, 2],
      [2, 3],
    ]);
    expect(run.frames.map(({ header }) => header.number)).to.deep.equal([1, 2, 3, 4]);
    expect(run.last.value('large.cells[9999]')).to.equal(3);
  });

  it('lists functions that are registered while it runs', async () => {
    const run = await TestRun.start({});
    run.sim.function('late', () => 5, { about: 'five' });
    run.ticks(1);
    expect(run.catalog.functions.get('late')).to.deep.equal({ name: 'late', about: 'five' });
    expect(run.ask({ kind: 'call', name: 'late', values: [] })).to.deep.equal([{ frame: 3, value: 5 }]);
  });
});
