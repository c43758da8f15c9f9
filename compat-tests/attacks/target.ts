// The attacked simulation: 100 frames a second that note how late they are, with values in plenty.
import { array, double, pointer, simulation, struct, text } from '../../lib/index.js';

const Part = struct('Part', Object.fromEntries([...'abcdefghij'].map((name) => [name, double({ units: 'm' })])));
const MEMBERS_IN_PART = 10;
/** Doubles of a block of a state of any size. */
const BLOCK = 100_000;

const numberAfter = (given: readonly string[], option: string): number => {
  const at = given.indexOf(option);
  return at < 0 ? 0 : Number(given[at + 1]);
};

export default simulation({ name: 'target', frameSeconds: 0.01, terminateSeconds: 100_000 }, (sim) => {
  const target = sim.object('target');
  const worst = target.component('worst_delay', double({ units: 'ms', about: 'since it was last set to 0' }));
  const position = target.component('position', double(3, { units: 'm' }), [1, 2, 3]);
  const many = target.component('doubles', double(20_000));
  target.component('label', text(64), 'as it was');
  target.component('far', pointer(double()));
  const members = numberAfter(sim.arguments, '--members');
  if (members > 0) sim.object('store').component('parts', array(Part, members / MEMBERS_IN_PART));
  const large = numberAfter(sim.arguments, '--large');
  if (large > 0) sim.object('vast').component('doubles', double(large));

  const blocks = numberAfter(sim.arguments, '--blocks');
  const store = blocks > 0 ? sim.object('blocks') : undefined;
  for (let k = 0; k < blocks; k++) store?.component(`b${k}`, double(BLOCK));

  const objects = numberAfter(sim.arguments, '--objects');
  for (let k = 0; k < objects; k++) sim.object(`object${k}`).component('part', Part);

  const exitSeconds = numberAfter(sim.arguments, '--exit-at');

  let startMillis = Number.POSITIVE_INFINITY;
  let steps = 0;
  sim.job(0.01, function step() {
    const sinceStart = performance.now() - 1000 * sim.timeSeconds;
    // The frame that came earliest was in time.
    startMillis = Math.min(startMillis, sinceStart);
    worst.value = Math.max(worst.value, sinceStart - startMillis);
    steps += 1;
    if (exitSeconds > 0 && sim.timeSeconds >= exitSeconds) process.exit(3);
    position[0] = steps / 7;
    for (let k = 0; k < 2000; k++) many[k] = (k + 1) * Math.sin(steps + k / 7);
  });
});
