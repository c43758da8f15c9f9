// The seed of all random test data: new in every run, or given by an environment variable.
import fc from 'fast-check';
import { RandomStream, seeded } from '../../simulation/integration/random.js';
import { runs } from './run-counts.js';

export const SEED_VARIABLE = 'VARWIRE_SEED';

const given = process.env[SEED_VARIABLE];
export const SEED = given === undefined ? Date.now() % 2 ** 31 : Number(given);
if (!Number.isSafeInteger(SEED)) throw new RangeError(`${SEED_VARIABLE} is a whole number, not ${given}`);

// Child processes, of a parallel run for example, use the same seed.
process.env[SEED_VARIABLE] = `${SEED}`;
// fast-check prints the seed in its reports. The number is for properties that give none.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED, numRuns: runs(200) });

/** Random numbers for a test, the same ones in a run with the same seed. */
export const randomOf = (test: string): RandomStream => new RandomStream(seeded(test, [SEED]));
