// A simulation at 100 frames per second with ten waves to plot, and little else to do, so that long pasts come soon.
import { double, simulation } from '../../lib/index.js';

export default simulation({ name: 'waves', frameSeconds: 0.01 }, (sim) => {
  const heights = sim.object('waves').component('height', double(10, { units: 'm' }));
  sim.job(0.01, function move() {
    for (let k = 0; k < heights.length; k++) heights[k] = (k + 1) * Math.sin(sim.timeSeconds * (0.4 + k / 50) + k);
  });
});
