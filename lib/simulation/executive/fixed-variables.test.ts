import { expect } from 'chai';
import { array, double, struct } from '../../model/state/declare.js';
import { start } from '../../testing/index.js';
import { simulation } from './simulation.js';

describe('a fixed variable', () => {
  const Wheel = struct('Wheel', { radius: double({ fixed: true }), speed: double() });
  const definition = simulation({ name: 'test', frameSeconds: 1 }, (sim) => {
    const car = sim.object('car').components({ mass: double({ fixed: true }), wheels: array(Wheel, 2) });
    sim.job('initialization', () => {
      car.mass *= 2;
    });
    sim.job(1, () => {
      car.mass += 1;
      for (const wheel of car.wheels) wheel.radius += 1;
    });
  });

  it('is writable until the initialization has ended, and then read-only for clients alone', async () => {
    const run = await start(definition, { set: { 'car.mass': 3, 'car.wheels[1].radius': 5 } });
    try {
      expect(run.read('car.mass')).to.equal(6);
      expect(() => run.write('car.mass', 1)).to.throw('car.mass is read-only');
      expect(() => run.write('car.wheels[0].radius', 1)).to.throw('car.wheels[0].radius is read-only');
      run.write('car.wheels[0].speed', 7);
      run.step(2);
      expect(run.read('car')).to.deep.equal({
        mass: 8,
        wheels: [
          { radius: 2, speed: 7 },
          { radius: 7, speed: 0 },
        ],
      });
    } finally {
      run.close();
    }
  });
});
