// Entry of the simulation's thread.
import { runSimulationThread } from '../source/simulation-thread.js';
import { OVERLAYS } from './overlays.js';

await runSimulationThread(OVERLAYS);
