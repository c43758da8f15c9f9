// Jobs by class and order, and those that run at moments of the run.
import { expect } from 'chai';
import { int } from '../../model/state/declare.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import { type Moment, Moments, type SimulationEnd } from './moments.js';
import type { JobClass, Sim } from './simulation.js';

const MOMENTS: readonly Moment[] = ['initialization', 'end_of_frame', 'freeze_init', 'freeze', 'unfreeze', 'shutdown'];

describe('jobs', () => {
  it('that are due together run by class, then by order, then as they were added', async () => {
    const seen: string[] = [];
    const add = (sim: Sim, name: string, jobClass?: JobClass, order?: number): void => {
      sim.job(0.01, () => void seen.push(name), {
        ...(jobClass ? { class: jobClass } : {}),
        ...(order === undefined ? {} : { order }),
      });
    };
    const run = await TestRun.start({}, (sim) => {
      add(sim, 'after', 'post_integration');
      add(sim, 'move', 'integration');
      add(sim, 'push', 'effector');
      add(sim, 'late', 'scheduled', 65_535);
      add(sim, 'first');
      add(sim, 'second');
      add(sim, 'early', 'scheduled', 1);
      add(sim, 'measure', 'sensor');
      add(sim, 'blow', 'environment');
    });
    run.ticks(1);
    const order = ['blow', 'measure', 'early', 'first', 'second', 'late', 'push', 'move', 'after'];
    expect(seen).to.deep.equal(order);
  });

  it('run at the moments of a run', async () => {
    const seen: string[] = [];
    const run = await TestRun.start({ startFrozen: true }, (sim) => {
      for (const moment of MOMENTS) sim.job(moment as 'shutdown', (end) => void seen.push(`${moment} ${end.code}`));
      sim.job('initialization', () => void seen.push('first'), { order: 1 });
    });
    const since = (): string[] => seen.splice(0).map((text) => text.replace(/ 0$/, ''));
    run.pass(2500);
    expect(since()).to.deep.equal(['first', 'initialization', 'freeze_init', 'freeze', 'freeze']);
    run.ask({ kind: 'control', control: { action: 'run' } });
    run.ticks(2);
    expect(since()).to.deep.equal(['unfreeze', 'end_of_frame', 'end_of_frame']);
    run.ask({ kind: 'control', control: { action: 'freeze' } });
    run.pass(1);
    expect(since()).to.deep.equal(['freeze_init']);
    run.sim.stop({ code: 3, reason: 'no fuel' });
    run.ticks(1);
    expect(since()).to.deep.equal(['shutdown 3']);
    expect(run.ended).to.deep.equal(['no fuel']);
  });

  it('of the end of a frame are seen in its snapshot, and may freeze the simulation', async () => {
    const run = await TestRun.start({}, (sim) => {
      const o = sim.object('o').component('x', int(), 0);
      sim.job('end_of_frame', () => {
        o.value++;
        if (o.value === 3) sim.freeze();
      });
    });
    run.ticks(3);
    expect([run.last.value('o.x'), run.last.seconds, run.running.executive.isHeld]).to.deep.equal([3, 0.03, true]);
  });

  for (const moment of ['end_of_frame', 'freeze_init', 'freeze', 'unfreeze'] as const) {
    it(`of ${moment} that throw freeze the simulation with their name`, async () => {
      const run = await TestRun.start({}, (sim) => {
        sim.job(moment, function tidy() {
          throw new Error('no');
        });
      });
      run.ticks(1);
      run.ask({ kind: 'control', control: { action: 'freeze' } });
      run.pass(1500);
      run.ask({ kind: 'control', control: { action: 'run' } });
      run.ticks(1);
      expect(run.said.join('\n')).to.include('job tidy failed: no; the simulation is frozen');
      expect(run.running.executive.isHeld).to.equal(moment === 'end_of_frame' || moment === 'unfreeze');
    });
  }

  it('of the initialization that throw refuse the build', async () => {
    const starting = TestRun.start({}, (sim) => {
      sim.job('initialization', function load() {
        throw new Error('no table');
      });
    });
    expect(await starting.catch((error: Error) => error.message)).to.equal('job load failed: no table');
  });

  it('of the shutdown that throw do not keep the others from running, and make the exit code 1', async () => {
    const seen: string[] = [];
    const run = await TestRun.start({}, (sim) => {
      sim.job('shutdown', function save() {
        throw new Error('disk full');
      });
      sim.job('shutdown', ({ reason }) => void seen.push(reason));
    });
    run.sim.stop();
    run.ticks(1);
    expect(seen).to.deep.equal(['stopped by the simulation']);
    expect(run.said.join('\n')).to.include('error: job save failed: disk full');
    expect(run.ended).to.deep.equal(['stopped by the simulation']);
  });

  it('of the shutdown that never end are interrupted, and the others have their time', () => {
    const seen: string[] = [];
    const moments = new Moments({ starts: () => undefined, ended: () => undefined });
    const never = (): void => {
      for (;;);
    };
    const add = (name: string, run: (end: SimulationEnd) => void) => moments.add('shutdown', { name, run });
    add('spin', never);
    add('wait', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
    add('save', ({ reason }) => void seen.push(reason));
    add('last', never);
    const end = { code: 0, reason: 'enough' };
    expect(() => moments.shutDown(end, 600)).to.throw(/^job spin failed: it had not ended after 0.3 s$/);
    expect(seen).to.deep.equal(['enough']);
  });

  it('refuse classes, orders, moments and exit codes that are none', async () => {
    const run = await TestRun.start({});
    const job = (when: unknown, options: object) => () => run.sim.job(when as number, () => {}, options);
    expect(job(1, { class: 'control' })).to.throw('job without a name has no class control; there are environment, ');
    expect(job(1, { order: -1 })).to.throw('job without a name needs an order from 0 to 65535, not -1');
    expect(job(1, { order: 1.5 })).to.throw('needs an order from 0 to 65535, not 1.5');
    expect(job(1, { order: 65536 })).to.throw('not 65536');
    for (const order of [0, 65535]) expect(job(1, { order })).not.to.throw();
    expect(job('at_noon', {})).to.throw('job at_noon runs every so many seconds, or at one of initialization, ');
    for (const code of [-1, 256, 0.5]) expect(() => run.sim.stop({ code })).to.throw(`from 0 to 255, not ${code}`);
  });

  it('show how long they take as variables where the simulation asks for it', async () => {
    const run = await TestRun.start({ jobTimes: true }, (sim) => {
      sim.job(0.01, function fly() {
        run.nowMillis += 4;
      });
    });
    run.ticks(2);
    const jobs = run.last.value('job_times.jobs');
    expect(jobs).to.deep.equal([{ name: 'fly', calls: 2n, mean: 4, worst: 4 }]);
  });

  it('may be removed from a moment', async () => {
    let count = 0;
    const run = await TestRun.start({}, (sim) => {
      const handle = sim.job('end_of_frame', () => {
        if (++count === 2) handle.remove();
      });
    });
    run.ticks(5);
    expect(count).to.equal(2);
  });
});
