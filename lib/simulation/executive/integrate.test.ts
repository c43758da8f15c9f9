// Integrators and random streams of a simulation: their state is the simulation's.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { array, double, int, struct } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { Access } from '../../model/state/type.js';
import { TestRun } from '../../testing/aids/simulation-run.js';
import type { Sim } from './simulation.js';

const Body = struct('Body', {
  position: double(2, { units: 'm' }),
  velocity: double(2, { units: 'm/s' }),
  mass: double({ units: 'kg' }),
  bounces: int(),
});

describe('an integrator of a simulation', () => {
  it('moves the state once a frame, after the jobs that decide', async () => {
    const seen: number[] = [];
    const run = await TestRun.start({}, (sim) => {
      const body = sim.object('o').component('body', Body, { velocity: [1, 0], mass: 2 });
      let force = 0;
      sim.integrate(body, () => ({ position: body.velocity, velocity: [force / body.mass, 0] }), { method: 'rk4' });
      sim.job(0.01, () => void seen.push(body.position[0]), { class: 'post_integration' });
      sim.job(0.01, () => {
        force = 4;
      });
    });
    run.ticks(1);
    expect(seen[0]).to.be.closeTo(0.01 + 1e-4, 1e-15);
    run.ticks(99);
    expect(run.last.value('o.body.velocity[0]')).to.be.closeTo(3, 1e-13);
    expect(run.last.value('o.body.position[0]')).to.be.closeTo(2, 1e-13);
    expect(run.last.value('o.body.mass')).to.equal(2);
  });

  it('leaves each job the time of the state that it sees', async () => {
    const wrong: string[] = [];
    let looks = 0;
    const run = await TestRun.start({ frameSeconds: 0.02 }, (sim) => {
      const x = sim.object('o').component('x', double());
      const look = (what: string) => () => {
        looks++;
        if (Math.abs(x.value - sim.timeSeconds) > 1e-12) wrong.push(`${what}: ${x.value} at ${sim.timeSeconds} s`);
      };
      for (const name of ['environment', 'sensor', 'scheduled', 'effector', 'post_integration'] as const)
        for (const seconds of [0.01, 0.04]) sim.job(seconds, look(name), { class: name });
      sim.job(0.005, look('within a step'), { class: 'post_integration' });
      sim.job(0.01, look('before it moves'), { class: 'integration', order: 1 });
      sim.integrate(x, () => 1, { method: 'euler', periodSeconds: 0.01 });
      sim.job('end_of_frame', look('end_of_frame'));
      sim.job('shutdown', look('shutdown'));
      sim.job(0.02, () => sim.say(`it is ${x.value}`), { class: 'post_integration' });
    });
    run.ticks(5);
    run.running.close({ reason: 'enough' });
    expect(wrong).to.deep.equal([]);
    expect(looks).to.be.above(90);
    expect(run.said.slice(0, 2)).to.deep.equal(['0.01 normal: it is 0.01', '0.03 normal: it is 0.03']);
  });

  it('leaves the state of a time to those who record and copy it, also within a frame', async () => {
    const run = await TestRun.start({ frameSeconds: 0.02 }, (sim) => {
      const x = sim.object('o').component('x', double());
      sim.integrate(x, () => 1, { method: 'euler', periodSeconds: 0.005 });
    });
    const recorded: number[][] = [];
    const { executive, state } = run.running;
    const take = () => void recorded.push([executive.timeSeconds, state.arena.memory.view.getFloat64(offset, true)]);
    const offset = run.catalog.find('o.x')?.offsetBytes as number;
    executive.recorders.add({ name: 'take', periodTics: 10_000, run: take }, 0);
    run.ask({ kind: 'schedule', periodTics: 5000, hold: true });
    run.ticks(2);
    for (const [time, x] of recorded) expect(x).to.be.closeTo(time as number, 1e-15);
    expect(recorded).to.have.length(4);
    const shown = run.frames.map((frame) => [frame.seconds, frame.value('o.x')] as [number, number]);
    expect(shown.length).to.be.at.least(10);
    for (const [time, x] of shown) expect(x).to.be.closeTo(time, 1e-15);
  });

  it('takes plain objects of components, scalars and arrays of structures, at its own period', async () => {
    const times: number[] = [];
    const run = await TestRun.start({}, (sim) => {
      const o = sim.object('o');
      const heat = o.component('heat', double(), 1);
      const nodes = o.component('nodes', array(struct('Node', { celsius: double() }), 3), [{ celsius: 3 }, {}, {}]);
      const rates = (t: number) => {
        times.push(t);
        return { heat: 2, nodes: Array.from(nodes, ({ celsius }) => ({ celsius: -celsius })) };
      };
      sim.integrate({ heat, nodes }, rates, { method: 'rk2', periodSeconds: 0.02, name: 'warm' });
    });
    run.ticks(2);
    expect(run.last.value('o.heat')).to.be.closeTo(1.04, 1e-15);
    expect(run.last.value('o.nodes[0].celsius')).to.be.closeTo(3 * (1 - 0.02 + 0.0002), 1e-12);
    expect([...new Set(times)]).to.deep.equal([0, 0.02]);
  });

  it('lets an event happen at its exact time', async () => {
    const bounces: number[] = [];
    const run = await TestRun.start({ frameSeconds: 0.1 }, (sim) => {
      const body = sim.object('o').component('body', Body, { position: [0, 10] });
      sim.integrate(body, () => ({ position: body.velocity, velocity: [0, -9.81] }), {
        method: 'rk4',
        events: [
          {
            name: 'bounce',
            value: () => body.position[1],
            direction: 'falling',
            happen: (time) => {
              bounces.push(time);
              body.velocity[1] *= -0.8;
              body.bounces++;
            },
          },
        ],
      });
    });
    run.ticks(15);
    expect(bounces).to.have.length(1);
    expect(bounces[0]).to.be.closeTo(Math.sqrt(20 / 9.81), 1e-13);
    expect(run.last.value('o.body.bounces')).to.equal(1);
  });

  it('freezes the simulation with its name when a rate is no number, and leaves the last good state', async () => {
    const run = await TestRun.start({}, (sim) => {
      const body = sim.object('o').component('body', Body, { position: [1, 1] });
      const fly = () => ({ position: [1, sim.timeSeconds >= 0.02 ? Number.NaN : 1] });
      sim.integrate(body, fly, { method: 'rk4' });
    });
    run.ticks(4);
    expect(run.said[0]).to.include(
      'job fly failed: the rate of position[1] is NaN at 0.02 s; the simulation is frozen',
    );
    expect(run.last.value('o.body.position[0]')).to.be.closeTo(1.02, 1e-15);
    expect(run.running.executive.isHeld).to.equal(true);
  });

  it('takes rates of the shape that the state has; others do not compile', async () => {
    const run = await TestRun.start({}, (sim) => {
      const body = sim.object('o').component('body', Body);
      const method = 'rk4' as const;
      // @ts-expect-error: a number for a vector
      sim.integrate(body, () => ({ position: 1 }), { method, name: 'a' });
      // @ts-expect-error: text for a number
      sim.integrate(body, () => ({ mass: 'much' }), { method, name: 'b' });
      // @ts-expect-error: nothing of the state
      sim.integrate(body, () => ({ speed: 1 }), { method, name: 'c' });
      // @ts-expect-error: no such method
      expect(() => sim.integrate(body, () => ({ mass: 1 }), { method: 'rk5' })).to.throw('rk5');
    });
    run.ticks(1);
    expect(run.said[0]).to.include('job a failed: position has 2 elements, its rates are no list');
  });

  for (const method of ['rk4', 'rkf45', 'rkf78', 'nystrom-lear-2', 'abm'] as const) {
    it(`by ${method} goes the same way again from a checkpoint`, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'varwire-again-'));
      const build = (sim: Sim): void => {
        const body = sim.object('o').component('body', Body, { position: [1, 0], velocity: [0, 1] });
        const { position, velocity } = body;
        const pull = () => [-position[0] / Math.hypot(...position) ** 3, -position[1] / Math.hypot(...position) ** 3];
        sim.integrate(body, () => ({ position: velocity, velocity: pull() }), { method });
      };
      const run = await TestRun.start({ frameSeconds: 0.05 }, build, directory);
      run.ticks(10);
      run.ask({ kind: 'checkpoint', file: 'ten' });
      run.ticks(10);
      const [x, y] = run.last.value('o.body.position') as [number, number];
      const [loaded] = run.ask({ kind: 'load-checkpoint', file: join(directory, 'ten') });
      expect(loaded).not.to.have.property('error');
      run.ticks(10);
      const [x2, y2] = run.last.value('o.body.position') as [number, number];
      // Adams begins anew there: it has forgotten the rates of the steps before.
      const slack = method === 'abm' ? 1e-6 : 0;
      expect(Math.abs(x - x2)).to.be.at.most(slack);
      expect(Math.abs(y - y2)).to.be.at.most(slack);
      rmSync(directory, { recursive: true });
    });
  }

  it('is restored by a checkpoint whatever clients may do with its state', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-access-'));
    const shapes = (access: Access) => ({
      x: double({ access }),
      all: struct(`All_${access.replace('-', '_')}`, {
        y: double({ access }),
        track: vector(double(), 3, { access }),
        pair: array(struct('Pair', { z: double({ access }) }), 2),
      }),
    });
    const build = (sim: Sim) => {
      for (const access of ['read-write', 'read-only', 'write-only'] as const) {
        const state = sim.object(access.replace('-', '_')).components(shapes(access), { all: { track: [1] } });
        sim.integrate(state, () => ({ x: 1, all: { y: 2, pair: [{ z: 3 }, { z: 4 }] } }), { method: 'rk4' });
        sim.job(0.01, () => void state.all.track.replace([state.x]));
      }
    };
    const run = await TestRun.start({}, build, directory);
    const seen = () =>
      ['read_write', 'read_only', 'write_only'].map((name) => [
        run.last.value(`${name}.x`),
        run.last.value(`${name}.all`),
      ]);
    run.ticks(5);
    run.ask({ kind: 'checkpoint', file: 'five' });
    const [saved] = seen();
    run.ticks(5);
    run.ask({ kind: 'load-checkpoint', file: join(directory, 'five') });
    expect(seen()).to.deep.equal([saved, saved, saved]);
    rmSync(directory, { recursive: true });
  });

  it('refuses a method that does not exist when it is built', async () => {
    const starting = TestRun.start({}, (sim) => {
      const x = sim.object('o').component('x', double());
      sim.integrate(x, () => 1, { method: 'magic' as 'rk4' });
    });
    expect(await starting.catch((error: Error) => error.message)).to.include('there is no integration method magic');
  });
});

describe('a random stream of a simulation', () => {
  it('is a variable that clients cannot write, and goes on where a checkpoint was made', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-random-'));
    const drawn: number[] = [];
    const run = await TestRun.start(
      {},
      (sim) => {
        const wind = sim.random('wind', 7);
        sim.job(0.01, () => void drawn.push(wind.normal()));
      },
      directory,
    );
    run.ticks(3);
    run.ask({ kind: 'checkpoint', file: 'three' });
    run.ticks(3);
    const [loaded] = run.ask({ kind: 'load-checkpoint', file: join(directory, 'three') });
    expect(loaded).not.to.have.property('error');
    run.ticks(4);
    expect(drawn.slice(6)).to.deep.equal([...drawn.slice(3, 6), drawn[9]]);
    expect(run.write('random.wind[0]', 1)).to.have.property('error', 'random.wind[0] is read-only');
    rmSync(directory, { recursive: true });
  });

  it('needs a name of its own and a seed', async () => {
    const run = await TestRun.start({}, (sim) => void sim.random('wind'));
    expect(() => run.sim.random('wind')).to.throw('object random has a component wind already');
    for (const seed of [Number.NaN, 0.5])
      expect(() => run.sim.random('rain', seed)).to.throw(
        `the seed of random stream rain is a whole number, such as 7, not ${seed}`,
      );
    expect(run.sim.random('rain').uniform()).to.not.equal(run.sim.random('snow').uniform());
  });
});
