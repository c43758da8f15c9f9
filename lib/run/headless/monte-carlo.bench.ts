// A thousand flights of the cannon, 6 s each, on one thread and on as many as the machine has.
import { availableParallelism } from 'node:os';
import { monteCarlo } from './monte-carlo.js';

const CANNON = new URL('../../../sims/cannon.js', import.meta.url);

for (const workers of new Set([1, availableParallelism()])) {
  const startMillis = performance.now();
  const { failed } = await monteCarlo(CANNON, {
    runs: 1000,
    workers,
    untilSeconds: 6,
    draw: (random) => ({ 'dyn.cannon.init_angle': random.normal(0.5, 0.1) }),
    read: ['dyn.cannon.impactTime', 'dyn.cannon.pos'],
  });
  const seconds = (performance.now() - startMillis) / 1000;
  console.log(`1000 runs on ${workers} threads: ${seconds.toFixed(1)} s, ${failed} failed`);
}
