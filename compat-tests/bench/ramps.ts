// The simulation of the kRPC row: 60 frames a second, in each of which all values change.
import { double, simulation } from '../../lib/index.js';

export const VALUES = 450;
export const HERTZ = 60;

export default simulation({ name: 'ramps', frameSeconds: 1 / HERTZ }, (sim) => {
  const values = sim.object('ramps').component('values', double(VALUES));
  let steps = 0;
  sim.job(1 / HERTZ, function step() {
    steps++;
    for (let k = 0; k < VALUES; k++) values[k] = steps + k / VALUES;
  });
});
