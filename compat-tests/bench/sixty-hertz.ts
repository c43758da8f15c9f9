// A simulation of 60 frames a second, with objects of ten doubles that all change.
import { double, simulation, struct } from '../../lib/index.js';

/** How many objects there are, and the members of each one's part. */
export const OBJECTS = 20;
export const MEMBERS = [...'abcdefghij'];

const Part = struct('Part', Object.fromEntries(MEMBERS.map((name) => [name, double({ units: 'm' })])));

export default simulation({ name: 'sixty', frameSeconds: 1 / 60, terminateSeconds: 100_000 }, (sim) => {
  const parts = Array.from({ length: OBJECTS }, (_, k) => sim.object(`object${k}`).component('part', Part));
  let steps = 0;
  sim.job(1 / 60, function step() {
    steps += 1;
    for (const part of parts) for (const [k, name] of MEMBERS.entries()) part[name] = Math.sin(steps + k / 7);
  });
});
