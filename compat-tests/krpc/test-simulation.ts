// The simulation behind kRPC's TestService: it ticks 60 times a second, as the loop that its tests expect.
import { double, simulation } from '../../lib/index.js';

export const HERTZ = 60;

export default simulation({ name: 'krpc-test', frameSeconds: 1 / HERTZ }, (sim) => {
  const clock = sim.object('test').component('clock', double({ units: 's' }));
  sim.job(1 / HERTZ, function tick() {
    clock.value = sim.timeSeconds;
  });
});
