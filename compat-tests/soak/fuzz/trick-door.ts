// The doors that take Trick text: connections, datagrams and input files.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { goldenSessions } from '../../recorded.js';
import type { Chance } from './chance.js';
import { documentedBlocks } from './documents.js';
import type { Door } from './door.js';
import { type Grammar, generate, NUMBERS, TEXTS } from './grammar.js';
import { sendDatagrams, sendTogether } from './sockets.js';

const LONGEST_DATAGRAM_BYTES = 60_000;

const PYTHON: Grammar = {
  number: NUMBERS,
  text: TEXTS.map((text) => `"${text}"`),
  name: ['x', 'y', 'L', 'f', 'fx', 'trick', 'math', 'k', 'fx.all.i', 'fx.all.d3', 'fx.all.vd', 'fx.all.str', 'fx.ball'],
  path: [
    'fx.all.i',
    'fx.all.d3[<number>]',
    'fx.all.vehicle.sensors[<number>].label',
    'fx.all.vehicle.spare.reading',
    'fx.all.vd[<number>]',
    'fx.all.nosuch',
    'fx..all',
    'fx.all.big_d',
    'fx.all.vehicle.flags',
    'trick_sys.sched.time_tics',
  ],
  units: ['"m"', '"ft"', '"degC"', '"--"', '"m/s"', '"m**2"', '"xx"', '"1"', '"no unit"', '<text>'],
  value: [
    '<number>',
    '<text>',
    '<name>',
    'True',
    'None',
    '[<value>, <value>]',
    '(<value>,)',
    '{<value>: <value>}',
    '[<value>] * <count>',
    '<text> * <count>',
  ],
  count: ['3', '1000', '20000', '99999'],
  expression: [
    '<value>',
    '<expression> <operator> <expression>',
    '-<expression>',
    'not <expression>',
    '(<expression>)',
    '<name>[<expression>]',
    '<name>[<expression>:<expression>]',
    'f"{<expression>:<number>}"',
    '[<expression> for k in <expression>]',
    '<builtin>(<expression>)',
    '<builtin>(<expression>, <expression>)',
    '<expression> if <expression> else <expression>',
    'lambda k: <expression>',
    '<text> % <expression>',
    '<text>.join(<expression>)',
    '<expression>.<method>(<expression>)',
    '<expression>.<method>()',
    'sum(<expression> for k, v in <expression>)',
    'trick.DRAscii(<text>)',
    'trick.get_data_record_group(<text>)',
    'os.path.join(<expression>, <expression>)',
    'os.getenv(<expression>)',
  ],
  operator: [
    '+',
    '-',
    '*',
    '/',
    '//',
    '%',
    '**',
    '==',
    '<',
    'in',
    'not in',
    'and',
    'or',
    'is',
    '<<',
    '>>',
    '|',
    '&',
    '^',
  ],
  method: [
    'append',
    'extend',
    'insert',
    'remove',
    'pop',
    'sort',
    'reverse',
    'count',
    'index',
    'split',
    'strip',
    'replace',
    'upper',
    'startswith',
    'format',
    'items',
    'update',
    'add_variable',
    'set_cycle',
    'set_freq',
    'set_delimiter',
    'enable',
  ],
  error: ['NameError', 'TypeError', 'Exception', '(ValueError, KeyError)', '<expression>'],
  builtin: [
    'type',
    'dir',
    'sorted',
    'zip',
    'enumerate',
    'map',
    'isinstance',
    'len',
    'str',
    'int',
    'float',
    'list',
    'range',
    'repr',
    'max',
    'min',
    'sum',
    'sorted',
    'abs',
    'round',
    'print',
    'dict',
    'bool',
    'enumerate',
    'zip',
    'math.sqrt',
    'math.pow',
  ],
  command: [
    'var_add("<path>")',
    'var_add("<path>", <units>)',
    'var_remove("<path>")',
    'var_units("<path>", <units>)',
    'var_exists("<path>")',
    'var_send()',
    'var_send_once("<path>,<path>", <number>)',
    'var_send_once("<path>")',
    'var_clear()',
    'var_cycle(<number>)',
    'var_pause()',
    'var_unpause()',
    'var_binary()',
    'var_binary_nonames()',
    'var_ascii()',
    'var_byteswap(<value>)',
    'var_sync(<number>)',
    'var_set_copy_mode(<number>)',
    'var_set_write_mode(<number>)',
    'var_set_frame_multiple(<number>)',
    'var_set_frame_offset(<number>)',
    'var_set_send_stdio(<value>)',
    'var_validate_address(<value>)',
    'var_debug(<number>)',
    'var_set_client_tag(<text>)',
    'var_send_list_size()',
    'var_get_stl_size("<path>")',
    'var_set("<path>", <value>)',
    'var_set("<path>", <value>, <units>)',
    'send_sie_class()',
    'send_file(<text>)',
    'new_event(<text>)',
    'checkpoint(<text>)',
    'DRAscii(<text>)',
    'add_read(<number>, <text>)',
    'no_such_command(<value>)',
  ],
  statement: [
    'trick.<command>',
    'trick.<command>',
    'trick.<command>',
    '<name> = <expression>',
    '<path> = <expression>',
    '<name> += <expression>',
    'print(<expression>)',
    'for k in <expression>: <statement>',
    'if <expression>: <statement>',
    'while <expression>: break',
    'def f(a, b=<value>): return <expression>',
    'f(<expression>)',
    'import <name>',
    'del <name>',
    '<statement>; <statement>',
    'try:\n  <statement>\nexcept: pass',
    'try:\n  <statement>\nexcept <error> as k:\n  <statement>\nelse:\n  <statement>\nfinally:\n  <statement>',
    'raise <expression>',
    'raise ValueError(<expression>)',
    'assert <expression>, <expression>',
    'del <name>[<expression>]',
    'for k, v in <expression>: <statement>',
    'global <name>\n<statement>',
    'def f(a, b=<value>):\n  try: return f(a, <expression>)\n  except: return <expression>',
    'trick.add_data_record_group(<expression>)',
    'g = trick.DRAscii(<text>)\nfor k in ["<path>"] * <count>: g.add_variable(k)\ntrick.add_data_record_group(g)',
    'for k in [<text>] * <count>: trick.<command>',
    'x = [[<text>] * <count>] * 10',
    'e = trick.new_event(<text>)\ne.condition(<number>, "<expression>")\ne.activate()\ntrick.add_event(e)',
    'e = trick.new_event("<event>")\ne.action(0, "<deed>")\ntrick.add_event(e)\n<event>.manual_fire()',
    '<event>.manual_fire()',
    'trick.add_read(0, "<deed>")',
  ],
  // What names bring from the text of one client into that of another.
  event: ['keep', 'use', 'both'],
  deed: [
    't = <thing>',
    "t('<path>')",
    't.<command>',
    "t.var_send_once('<path>')",
    "t.checkpoint('x'); t.var_send_once('<path>')",
    "fx.all.i = 3; t.var_send_once('<path>')",
    "t.write('x')",
    "t.add_variable('<path>')",
    '<event>.manual_fire()',
    "<event>.action(0, 't = <thing>')",
  ],
  thing: [
    'trick',
    'trick.var_send_once',
    'trick.var_add',
    'sys.stdout',
    'fx.all',
    '[trick]',
    "trick.DRAscii('g')",
    'keep',
    't',
  ],
  block: ['<statement>\n', '<statement>\n<statement>\n', '<statement>\n<statement>\n<statement>\n'],
};

const block = (chance: Chance): Buffer => Buffer.from(generate(PYTHON, 'block', chance), 'latin1');

/** What a client may do to the whole server or to time: others would rightly notice. */
const REACHES_OTHERS =
  /stop|termin|shutdown|freeze|exec_|load|var_server|_ip|real_time|message|checkpoint_|guard|clock|getattr|step|sim_/i;
const isAllowed = (input: Buffer): boolean => !REACHES_OTHERS.test(input.toString('latin1').replaceAll('\0', ''));

const sends = goldenSessions().flatMap(({ steps }) => steps.map(({ send }) => Buffer.from(send, 'latin1')));
const documented = documentedBlocks('python').filter(isAllowed);
const seeds = [...sends, ...documented].filter((seed) => seed.length > 0 && isAllowed(seed));
const withNewline = (input: Buffer): Buffer => Buffer.concat([input, Buffer.from('\n')]);

const COMMAND = fileURLToPath(new URL('../../../lib/clients/cli/main.js', import.meta.url));
const SIMULATION = fileURLToPath(new URL('./guarded.js', import.meta.url));
/** Input files may compute for a minute. */
const START_MILLIS = 90_000;

/** Starts a server with an input file: it serves, or ends with one error and no trace of the program's own. */
async function startWith(input: Buffer): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'varwire-fuzz-'));
  writeFileSync(join(directory, 'input.py'), input);
  const options = ['--port', '0', '--no-discovery', '--input', join(directory, 'input.py'), '--run-dir', directory];
  const child = spawn(process.execPath, [COMMAND, 'run', SIMULATION, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const end = await new Promise<number | string>((resolve) => {
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('latin1');
      if (/SSE +curl .*\n/.test(said)) resolve('serves');
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.on('close', (code, signal) => resolve(code ?? `${signal}`));
    setTimeout(() => resolve('neither serves nor ends'), START_MILLIS).unref();
  });
  child.kill('SIGKILL');
  rmSync(directory, { recursive: true, force: true });
  // An input file may end its simulation as it likes.
  if (end !== 'serves' && end !== 0 && end !== 1) throw new Error(`a start with an input file: ${end}`);
  const trace = /\n {4}at .*|internal error.*|ERR_[A-Z_]+/.exec(said);
  if (trace) throw new Error(`a start with an input file printed ${JSON.stringify(said.slice(0, 1000))}`);
}

export const TRICK_TEXT: Door = {
  name: 'trick',
  seeds,
  generate: block,
  isAllowed,
  send: ({ port }, inputs) => sendTogether(port, inputs.map(withNewline)),
};

export const DATAGRAMS: Door = {
  name: 'datagrams',
  seeds,
  generate: (chance) => (chance.oneIn(4) ? chance.bytes(chance.below(1400)) : block(chance)),
  isAllowed,
  send: ({ udpPort }, inputs) =>
    sendDatagrams(
      udpPort,
      inputs.map((input) => input.subarray(0, LONGEST_DATAGRAM_BYTES)),
    ),
};

export const INPUT_FILES: Door = {
  name: 'input-files',
  seeds,
  generate: block,
  batch: 1,
  everyRounds: 8,
  send: async (_, inputs) => {
    for (const input of inputs) await startWith(input);
  },
};
