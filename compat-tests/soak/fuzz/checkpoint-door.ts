// The door that takes checkpoint files: files in the run directory that a client has loaded.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Door } from './door.js';
import { type Grammar, generate, NUMBERS, TEXTS } from './grammar.js';
import { sendTogether } from './sockets.js';

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

export const CHECKPOINTS: Door = {
  name: 'checkpoints',
  seeds: [Buffer.from(SHOWN), readFileSync(WRITTEN)],
  generate: (chance) => Buffer.from(generate(CHECKPOINT, 'file', chance), 'latin1'),
  // What a checkpoint says about other objects and about time is its client's right. Memory without a name is the fixture's.
  isAllowed: (input) => !/guard|trick_(?!anon_local_)|clear_all/.test(input.toString('latin1')),
  batch: 10,
  send: async ({ port, directory }, inputs) => {
    const loads = inputs.map((input, index) => {
      writeFileSync(join(directory, `fuzz_${index}`), input);
      return Buffer.from(`trick.load_checkpoint("fuzz_${index}")\n`);
    });
    await sendTogether(port, loads);
  },
};
