// `varwire find`: simulations that announce themselves on the network.
import { type Discovered, discover } from '../client/index.js';
import { parseCommandLine, parseSeconds } from './client-options.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const HELP = `varwire find [options]

  --seconds S    how long to listen (5; simulations announce themselves every 2 seconds)
  --interface A  address of the network interface to listen on`;

const OPTIONS = {
  seconds: { type: 'string' },
  interface: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;
/** Trick: SIM_MODE */
const MODES: ReadonlyMap<number, string> = new Map([
  [0, 'initialization'],
  [1, 'freeze'],
  [4, 'step'],
  [5, 'run'],
  [6, 'exit'],
]);

export async function findCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseCommandLine('find', args, OPTIONS);
  if (values.help) return console.log(HELP);
  if (positionals.length > 0) throw new UsageError('varwire find takes options only; varwire find --help lists them');
  const seconds = values.seconds === undefined ? 5 : parseSeconds('seconds', values.seconds);
  let found = 0;
  for await (const simulation of discover({
    seconds,
    ...(values.interface === undefined ? {} : { interface: values.interface }),
  })) {
    if (found++ === 0) console.log(row(['SERVER', 'MODE', 'USER', 'PID', 'VERSION', 'SIMULATION']));
    console.log(rowOf(simulation));
  }
  if (found === 0) throw new Error(`no simulation has announced itself in ${seconds} s`);
}

const WIDTHS = [24, 15, 10, 8, 14];
const row = (columns: readonly string[]): string =>
  columns.map((text, index) => printable(text).padEnd(WIDTHS[index] ?? 0)).join(' ');

function rowOf(simulation: Discovered): string {
  const { host, port, mode, isEnabled, user, processId, version, directory, program, inputFile, tag } = simulation;
  const state = isEnabled ? (MODES.get(mode ?? -1) ?? '') : 'closed';
  const name = [`${directory}/${program}`, inputFile, tag].filter((text) => text !== '').join(' ');
  return row([`${host}:${port}`, state, user, String(processId), version, name]);
}
