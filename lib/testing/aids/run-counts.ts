// How many random inputs the tests try: in `npm test` a new sample each time, in the soak all of them.

export const SHARE_VARIABLE = 'VARWIRE_TEST_SHARE';
const USUAL_SHARE = 0.1;

/** Part of all inputs, from 0 to 1. */
export const SHARE = Number(process.env[SHARE_VARIABLE] ?? USUAL_SHARE);
if (!(SHARE > 0 && SHARE <= 1)) throw new RangeError(`${SHARE_VARIABLE} is a number above 0 and up to 1`);

/** The number of random inputs for a property that gets `all` of them in the soak. */
export const runs = (all: number): number => Math.ceil(all * SHARE);
