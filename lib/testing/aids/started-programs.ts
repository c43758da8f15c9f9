// What programs that tests start do without: coverage, and the warm-up, which cost each start half a second and more.

// The workers of a parallel run have begun their own measurement already.
if (process.env.MOCHA_WORKER_ID !== undefined) delete process.env.NODE_V8_COVERAGE;
// The serial run keeps the warm-up.
process.env.VARWIRE_WARM_UP = 'off';

export {};
