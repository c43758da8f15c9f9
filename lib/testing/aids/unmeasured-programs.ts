// Programs that tests start are not measured for coverage, because measuring makes each start much slower.

// The workers of a parallel run have begun their own measurement already.
if (process.env.MOCHA_WORKER_ID !== undefined) delete process.env.NODE_V8_COVERAGE;

export {};
