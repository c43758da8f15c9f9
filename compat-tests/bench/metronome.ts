// A simulation at 1000 frames per second that records how late its frames start, with doubles for a load to read.
import { double, simulation } from '../../lib/index.js';

export default simulation({ name: 'metronome', frameSeconds: 0.001 }, (sim) => {
  const metronome = sim.object('metronome');
  const worst = metronome.component('worst_delay', double({ units: 'ms', about: 'since it was last set to 0' }));
  const doubles = metronome.component('doubles', double(100));
  let startMillis = Number.POSITIVE_INFINITY;

  sim.job(0.001, function listen() {
    const sinceStart = performance.now() - 1000 * sim.timeSeconds;
    // The frame with the least delay counts as punctual.
    startMillis = Math.min(startMillis, sinceStart);
    worst.value = Math.max(worst.value, sinceStart - startMillis);
  });

  let steps = 0;
  sim.job(0.01, function step() {
    steps += 1;
    for (let k = 0; k < doubles.length; k++) doubles[k] = (k + 1) * Math.sin(steps + k / 7);
  });
});
