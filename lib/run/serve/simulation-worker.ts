// Entry of the simulation's thread.
import { runSimulationThread } from '../../source/simulation-thread.js';
import { COMPILE } from './conditions.js';
import { OVERLAYS } from './overlays.js';

await runSimulationThread({
  overlays: OVERLAYS,
  compile: COMPILE,
  deskEntry: new URL('./desk-worker.js', import.meta.url),
});
