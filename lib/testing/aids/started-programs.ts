// What tests, and programs that they start, do without: coverage, the warm-up, machine code for what runs a few times.
import { setFlagsFromString } from 'node:v8';

// Three times the usual: most of a test runs a few times, and compiling it well costs more than it saves.
setFlagsFromString('--interrupt-budget=400000');

// The workers of a parallel run have begun their own measurement already.
if (process.env.MOCHA_WORKER_ID !== undefined) delete process.env.NODE_V8_COVERAGE;
process.env.VARWIRE_WARM_UP = 'off';
