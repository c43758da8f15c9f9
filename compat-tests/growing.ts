// A small simulation that lets clients add to it, up to limits that a test can reach.
import { double, simulation, struct } from '../lib/index.js';

export default simulation({ name: 'growing', frameSeconds: 0.01, mostObjects: 200, mostStateBytes: 2 ** 20 }, (sim) => {
  sim.type(struct('Load', { x: double(1000) }));
  const wave = sim.object('wave').components({ x: double(2000) });
  for (let index = 0; index < wave.x.length; index++) wave.x[index] = index / 3;
});
