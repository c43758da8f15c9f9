// The seed of everything that tests make by chance: new in every run, or the one that the environment names.
import fc from 'fast-check';

export const SEED_VARIABLE = 'VARWIRE_SEED';

const given = process.env[SEED_VARIABLE];
export const SEED = given === undefined ? Date.now() % 2 ** 31 : Number(given);
if (!Number.isSafeInteger(SEED)) throw new RangeError(`${SEED_VARIABLE} is a whole number, not ${given}`);

// Processes that this one starts, of a parallel run for example, use the same.
process.env[SEED_VARIABLE] = `${SEED}`;
// fast-check names the seed in what it reports.
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: SEED });
