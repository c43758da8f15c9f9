// The example simulations move as physics says, run here without a server.
import { expect } from 'chai';
import ball from '../sims/ball.js';
import cannon from '../sims/cannon.js';
import satellite from '../sims/satellite.js';
import { BuiltSimulation } from './building.js';

const numbers = (built: BuiltSimulation, path: string): number[] => [built.read(path)].flat() as number[];
const length = (vector: readonly number[]): number => Math.hypot(...vector);

describe('sims/ball', () => {
  it('drops the ball from 10 m in units of m and m/s', async () => {
    const built = await BuiltSimulation.of(ball);
    expect(built.read('ball.position')).to.deep.equal([0, 10]);
    expect(built.catalog.find('ball.velocity[1]')?.units).to.equal('m/s');
    built.runUntil(1);
    expect(built.read('ball.velocity[1]')).to.be.closeTo(-9.81, 1e-9);
    expect(built.read('ball.position[1]')).to.be.closeTo(10 - 9.81 / 2, 0.06);
  });

  it('keeps the ball above ground and each bounce below the last', async () => {
    const built = await BuiltSimulation.of(ball);
    built.runUntil(1.42);
    const impactSpeed = -numbers(built, 'ball.velocity[1]')[0]!;
    built.runUntil(1.44);
    expect(built.read('ball.velocity[1]')).to.be.closeTo(0.8 * impactSpeed, 0.3);
    let highest = 0;
    for (let time = 1.44; time < 30; time += 0.01) {
      built.runUntil(time);
      const [height = -1] = numbers(built, 'ball.position[1]');
      expect(height).to.be.at.least(0);
      highest = Math.max(highest, height);
    }
    expect(highest).to.be.closeTo(0.64 * 10, 0.2);
  });

  it('takes a kick', async () => {
    const built = await BuiltSimulation.of(ball);
    built.call('kick', 3, 5);
    expect(built.read('ball.velocity')).to.deep.equal([3, 5]);
  });
});

describe('sims/cannon', () => {
  /** 50 m/s at 30 degrees, no drag: the textbook's time and range. */
  const flightSeconds = (2 * 50 * 0.5) / 9.81;
  const rangeMetres = 50 * Math.cos(Math.PI / 6) * flightSeconds;

  it('follows the parabola', async () => {
    const built = await BuiltSimulation.of(cannon);
    built.runUntil(2);
    expect(built.read('dyn.cannon.impact')).to.equal(0);
    expect(built.read('dyn.cannon.time')).to.be.closeTo(2, 1e-9);
    expect(built.read('dyn.cannon.pos[0]')).to.be.closeTo(50 * Math.cos(Math.PI / 6) * 2, 1e-9);
    expect(built.read('dyn.cannon.pos[1]')).to.be.closeTo(50 - 2 * 9.81, 1e-9);
    expect(built.read('dyn.cannon.vel[1]')).to.be.closeTo(25 - 2 * 9.81, 1e-9);
  });

  it('stops at the ground and remembers when', async () => {
    const built = await BuiltSimulation.of(cannon);
    built.runUntil(10);
    expect(built.read('dyn.cannon.impact')).to.equal(1);
    expect(built.read('dyn.cannon.impactTime')).to.be.closeTo(flightSeconds, 1e-12);
    expect(built.read('dyn.cannon.pos[0]')).to.be.closeTo(rangeMetres, 1e-9);
    expect(built.read('dyn.cannon.pos[1]')).to.equal(0);
    expect(built.read('dyn.cannon.vel')).to.deep.equal([0, 0]);
  });

  for (const name of ['cannon_init', 'dyn.cannon.init']) {
    it(`loads and aims again with ${name}`, async () => {
      const built = await BuiltSimulation.of(cannon);
      built.runUntil(10);
      built.call(name);
      expect(built.read('dyn.cannon.impact')).to.equal(0);
      expect(built.read('dyn.cannon.pos')).to.deep.equal([0, 0]);
      built.runUntil(20);
      expect(built.read('dyn.cannon.pos[0]')).to.be.closeTo(rangeMetres, 1e-9);
    });
  }
});

describe('sims/satellite', () => {
  const PERIOD_SECONDS = 2 * Math.PI * Math.sqrt(6_778_137 ** 3 / 3.986004415e14);

  it('is back where it began after one orbit', async () => {
    const built = await BuiltSimulation.of(satellite);
    const before = numbers(built, 'vehicle.iss.translational.position');
    built.runUntil(PERIOD_SECONDS);
    const after = numbers(built, 'vehicle.iss.translational.position');
    // It travels 766 m in a step of 0.1 s.
    expect(length(after.map((value, axis) => value - before[axis]!))).to.be.lessThan(800);
  });

  it('keeps its energy, and its quaternion of length 1', async () => {
    const built = await BuiltSimulation.of(satellite);
    const energy = () =>
      length(numbers(built, 'vehicle.iss.translational.velocity')) ** 2 / 2 -
      3.986004415e14 / length(numbers(built, 'vehicle.iss.translational.position'));
    const before = energy();
    built.runUntil(3000);
    expect(energy() / before).to.be.closeTo(1, 1e-9);
    expect(length(numbers(built, 'vehicle.iss.attitude.quaternion'))).to.be.closeTo(1, 1e-12);
  });

  it('keeps the same side down', async () => {
    const built = await BuiltSimulation.of(satellite);
    built.runUntil(PERIOD_SECONDS / 3);
    const [w, x, y, z] = numbers(built, 'vehicle.iss.attitude.quaternion') as [number, number, number, number];
    const bodyX = [w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)];
    const position = numbers(built, 'vehicle.iss.translational.position');
    const cosine = bodyX.reduce((sum, value, axis) => sum + value * position[axis]!, 0) / length(position);
    expect(cosine).to.be.closeTo(1, 1e-6);
  });

  it('shows TAI and the aliases of a JEOD vehicle', async () => {
    const built = await BuiltSimulation.of(satellite);
    const { clock } = satellite.options;
    expect(clock?.label).to.equal('TAI');
    expect(clock && clock.seconds(10) - clock.seconds(0)).to.equal(10);
    expect(built.read('vehicle.iss.mass.total')).to.equal(420_000);
    expect(built.read('env.gravity.earth.mu')).to.equal(3.986004415e14);
    expect(numbers(built, 'vehicle.iss.angular_velocity')).to.have.length(3);
    expect(length(numbers(built, 'vehicle.iss.gravity.acceleration'))).to.be.closeTo(8.676, 0.01);
  });
});
