// How much of what is random or long the tests try: a sample in `npm test`, newly drawn each time, and all of it in the soak.

export const SHARE_VARIABLE = 'VARWIRE_TEST_SHARE';
const USUAL_SHARE = 0.2;

/** From 0 up to 1, which is all. */
export const SHARE = Number(process.env[SHARE_VARIABLE] ?? USUAL_SHARE);
if (!(SHARE > 0 && SHARE <= 1)) throw new RangeError(`${SHARE_VARIABLE} is a number above 0 and up to 1`);

/** How many random inputs a property gets, of so many in the soak. */
export const runs = (all: number): number => Math.ceil(all * SHARE);
