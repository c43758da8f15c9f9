// The door that takes checkpoint files: files in the run directory that a client has loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { demand } from '../../demand.js';
import { WireClient } from '../../wire-client.js';
import type { Door } from './door.js';
import { type Grammar, generate, NUMBERS, TEXTS } from './grammar.js';

const CHECKPOINT: Grammar = {
  number: NUMBERS,
  text: TEXTS.map((text) => `"${text}"`),
  value: [
    '<number>',
    '<text>',
    '{<value>, <value>}',
    '&fx_all_<number>',
    'NULL',
    '&fx.all.d3[<number>]',
    "'\\x<number>'",
  ],
  path: [
    'fx.all.w_i',
    'fx.all.d3[<number>]',
    'fx.ball.pos',
    'fx.all.str',
    'fx.all.vehicle.phase',
    'fx.nosuch',
    'fx.all.vd',
    'fx',
  ],
  line: [
    '<path> = <value>;',
    '<path>[<number>] =\n    {<value>, <value>, <value>};',
    'double fx_alloc_<number>[<number>];',
    '// <text>',
    '/* <text>',
    '<path> = ',
  ],
  file: ['<line>\n', '<line>\n<line>\n<line>\n', '// Variable Declarations.\n<line>\n<line>\n'],
};

const SHOWN = `// Memory Manager Checkpoint.
// Variable Declarations.
// Variable Assignments.
fx.all.w_i = 42;
fx.all.d3 = {0.1, 0.2, 0.3};
fx.all.str = "plain text";
fx.ball.pos = {0, 10};
fx.ball.steps = 7;
`;

/** What Trick wrote of the fixture; it stays in the source tree, and this file runs from build/compat-tests/soak/fuzz. */
const WRITTEN = new URL('../../../../compat-tests/reference/checkpoint.txt', import.meta.url);

const FILE = 'fuzz';
/** Bystanders do not notice the thread that reads checkpoints: what takes long for its length is seen here. */
const LONGEST_LOAD_MILLIS = 2000;

export const CHECKPOINTS: Door = {
  name: 'checkpoints',
  seeds: [Buffer.from(SHOWN), readFileSync(WRITTEN)],
  generate: (chance) => Buffer.from(generate(CHECKPOINT, 'file', chance), 'latin1'),
  // What a checkpoint says about other objects and about time is its client's right. Memory without a name is the fixture's.
  isAllowed: (input) => !/guard|trick_(?!anon_local_)|clear_all/.test(input.toString('latin1')),
  batch: 10,
  send: async ({ port, directory }, inputs) => {
    const client = await WireClient.tcp(port);
    try {
      for (const input of inputs) {
        writeFileSync(join(directory, FILE), input);
        const millis = await load(client);
        demand(millis < LONGEST_LOAD_MILLIS, `a load took ${Math.round(millis)} ms`);
      }
    } finally {
      client.drop();
    }
  },
};

/** What a client asks after a load is answered after it. */
async function load(client: WireClient): Promise<number> {
  const beganMillis = performance.now();
  client.send(`trick.load_checkpoint("${FILE}")\ntrick.var_send_once("fx.all.i")\n`);
  await client.line();
  return performance.now() - beganMillis;
}
