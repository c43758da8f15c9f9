// The example simulations move as physics says; they run here without a server.
import { expect } from 'chai';
import { type SimulationRun, start } from '../lib/testing/index.js';
import ball from '../sims/ball.js';
import cannon from '../sims/cannon.js';
import satellite from '../sims/satellite.js';

const numbers = (run: SimulationRun, path: string): number[] => [run.read(path)].flat() as number[];
const length = (vector: readonly number[]): number => Math.hypot(...vector);

describe('sims/ball', () => {
  it('drops the ball from 10 m in units of m and m/s', async () => {
    const run = await start(ball);
    expect(run.read('ball.position')).to.deep.equal([0, 10]);
    expect(run.read('ball.position', 'cm')).to.deep.equal([0, 1000]);
    run.runFor(1);
    expect(run.read('ball.velocity[1]')).to.be.closeTo(-9.81, 1e-9);
    expect(run.read('ball.velocity[1]', 'cm/s')).to.be.closeTo(-981, 1e-7);
    expect(run.read('ball.position[1]')).to.be.closeTo(10 - 9.81 / 2, 0.06);
  });

  it('keeps the ball above ground and each bounce below the last', async () => {
    const run = await start(ball);
    run.runFor(1.42);
    const impactSpeed = -numbers(run, 'ball.velocity[1]')[0]!;
    run.runFor(0.02);
    expect(run.read('ball.velocity[1]')).to.be.closeTo(0.8 * impactSpeed, 0.3);
    let highest = 0;
    while (run.timeSeconds < 30) {
      run.step();
      const [height = -1] = numbers(run, 'ball.position[1]');
      expect(height).to.be.at.least(0);
      highest = Math.max(highest, height);
    }
    expect(highest).to.be.closeTo(0.64 * 10, 0.2);
  });

  it('throws the ball up again when it is slow, for ever', async () => {
    const run = await start(ball);
    run.runFor(600);
    const heights: number[] = [];
    for (let k = 0; k < 2000; k++) {
      run.step();
      heights.push(numbers(run, 'ball.position[1]')[0] ?? 0);
    }
    expect(Math.max(...heights)).to.be.closeTo(0.64 * 10, 0.2);
  });

  it('takes a kick', async () => {
    const run = await start(ball);
    run.call('kick', 3, 5);
    expect(run.read('ball.velocity')).to.deep.equal([3, 5]);
  });
});

describe('sims/cannon', () => {
  /** The textbook's flight time for 50 m/s at 30 degrees without drag. */
  const flightSeconds = (2 * 50 * 0.5) / 9.81;
  const rangeMetres = 50 * Math.cos(Math.PI / 6) * flightSeconds;

  /** The simulation waits in freeze until a client fires it. */
  const fired = async (): Promise<SimulationRun> => {
    const run = await start(cannon);
    run.run();
    return run;
  };

  it('waits to be fired', async () => {
    const run = await start(cannon);
    expect(() => run.step()).to.throw('the simulation is frozen at 0 s');
    run.run();
    run.step();
    expect(run.read('dyn.cannon.pos[1]')).to.be.greaterThan(0);
  });

  it('follows the parabola', async () => {
    const run = await fired();
    run.runFor(2);
    expect(run.read('dyn.cannon.impact')).to.equal(0);
    expect(run.read('dyn.cannon.time')).to.be.closeTo(2, 1e-9);
    expect(run.read('dyn.cannon.pos[0]')).to.be.closeTo(50 * Math.cos(Math.PI / 6) * 2, 1e-9);
    expect(run.read('dyn.cannon.pos[1]')).to.be.closeTo(50 - 2 * 9.81, 1e-9);
    expect(run.read('dyn.cannon.vel[1]')).to.be.closeTo(25 - 2 * 9.81, 1e-9);
  });

  it('stops at the ground and remembers when', async () => {
    const run = await fired();
    run.waitUntil(() => run.read('dyn.cannon.impact') === 1, 10);
    expect(run.read('dyn.cannon.impactTime')).to.be.closeTo(flightSeconds, 1e-12);
    expect(run.read('dyn.cannon.pos[0]')).to.be.closeTo(rangeMetres, 1e-9);
    expect(run.read('dyn.cannon.pos[1]')).to.equal(0);
    expect(run.read('dyn.cannon.vel')).to.deep.equal([0, 0]);
  });

  for (const name of ['cannon_init', 'dyn.cannon.init']) {
    it(`loads and aims again with ${name}`, async () => {
      const run = await fired();
      run.runFor(10);
      run.call(name);
      expect(run.read('dyn.cannon.impact')).to.equal(0);
      expect(run.read('dyn.cannon.pos')).to.deep.equal([0, 0]);
      run.runFor(10);
      expect(run.read('dyn.cannon.pos[0]')).to.be.closeTo(rangeMetres, 1e-9);
    });
  }
});

describe('sims/satellite', () => {
  const PERIOD_SECONDS = 2 * Math.PI * Math.sqrt(6_778_137 ** 3 / 3.986004415e14);

  it('is back where it began after one orbit', async () => {
    const run = await start(satellite);
    const before = numbers(run, 'vehicle.iss.translational.position');
    run.runFor(PERIOD_SECONDS);
    const after = numbers(run, 'vehicle.iss.translational.position');
    // The station travels 766 m in a step of 0.1 s.
    expect(length(after.map((value, axis) => value - before[axis]!))).to.be.lessThan(800);
  });

  it('keeps its energy, and its quaternion of length 1', async () => {
    const run = await start(satellite);
    const energy = () =>
      length(numbers(run, 'vehicle.iss.translational.velocity')) ** 2 / 2 -
      3.986004415e14 / length(numbers(run, 'vehicle.iss.translational.position'));
    const before = energy();
    run.runFor(3000);
    expect(energy() / before).to.be.closeTo(1, 1e-9);
    expect(length(numbers(run, 'vehicle.iss.attitude.quaternion'))).to.be.closeTo(1, 1e-12);
  });

  it('keeps the same side down', async () => {
    const run = await start(satellite);
    run.runFor(PERIOD_SECONDS / 3);
    const [w, x, y, z] = numbers(run, 'vehicle.iss.attitude.quaternion') as [number, number, number, number];
    const bodyX = [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)];
    const position = numbers(run, 'vehicle.iss.translational.position');
    const cosine = bodyX.reduce((sum, value, axis) => sum + value * position[axis]!, 0) / length(position);
    expect(cosine).to.be.closeTo(1, 1e-6);
  });

  it('shows TAI and the aliases of a JEOD vehicle', async () => {
    const run = await start(satellite);
    const { clock } = satellite.options;
    expect(clock?.label).to.equal('TAI');
    expect(clock && clock.seconds(10) - clock.seconds(0)).to.equal(10);
    expect(run.read('vehicle.iss.mass.total')).to.equal(420_000);
    expect(run.read('env.gravity.earth.mu')).to.equal(3.986004415e14);
    expect(numbers(run, 'vehicle.iss.angular_velocity')).to.have.length(3);
    expect(length(numbers(run, 'vehicle.iss.gravity.acceleration'))).to.be.closeTo(8.676, 0.01);
  });
});
