// `varwire find`: simulations that announce themselves on the network.
import { type Discovered, type DiscoverOptions, discover, modeName } from '../trick/index.js';
import { parseWait } from './client-options.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import { UsageError } from './usage.js';
import { jsonText, printable } from './value-text.js';

const LINE: CommandLine = {
  name: 'find',
  takes: '',
  about: 'Lists the simulations that announce themselves on the network, which they do every 2 seconds.',
  options: [
    ['--seconds <seconds>', 'how long to listen (5)'],
    ['--interface <address>', 'address of the network interface to listen on'],
    ['--nats <url>', 'list those at a NATS server, such as nats://broker:4222'],
    ['--json', 'print JSON, a line each'],
  ],
};
export async function findCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  if (given.words.length > 0) throw new UsageError('varwire find takes options only; varwire find --help lists them');
  const seconds = parseWait('seconds', textOf(given, 'seconds') ?? '5');
  const nats = textOf(given, 'nats');
  if (nats !== undefined) return findAtNats(nats, seconds, given.values.json === true);
  const on = textOf(given, 'interface');
  let found = 0;
  for await (const simulation of discover({
    seconds,
    ...(on === undefined ? {} : { interface: on }),
  })) {
    const isFirst = found++ === 0;
    if (given.values.json) console.log(jsonText(simulation));
    else console.log(isFirst ? `${HEAD}\n${rowOf(simulation)}` : rowOf(simulation));
  }
  if (found === 0) throw new Error(`no simulation has announced itself in ${seconds} s`);
}

/** Whose names `varwire edge NAME --nats URL` takes. */
async function findAtNats(url: string, seconds: number, isJson: boolean): Promise<void> {
  const { findByNats } = await import('../../source/edge/nats.js');
  const found = await findByNats(url, seconds);
  if (found.length === 0) throw new Error(`no simulation has said in ${seconds} s that it is at this NATS server`);
  if (!isJson) console.log(natsRow(['NAME', 'MODE', 'SECONDS', 'SIMULATION']));
  for (const { name, mode, timeSeconds, info } of found) {
    const { directory, file } = info;
    if (isJson) console.log(jsonText({ name, mode: modeName(mode), seconds: timeSeconds, directory, file }));
    else console.log(natsRow([name, modeName(mode), timeSeconds.toFixed(2), `${directory}/${file}`]));
  }
}

const NATS_WIDTHS = [24, 15, 12];
const natsRow = (columns: readonly string[]): string =>
  columns.map((text, index) => printable(text).padEnd(NATS_WIDTHS[index] ?? 0)).join(' ');

/** Listens for a time. Rejects as `onlyTrick` throws. */
export async function findOnlyTrick(options: DiscoverOptions): Promise<Discovered> {
  const found: Discovered[] = [];
  for await (const simulation of discover(options)) found.push(simulation);
  return onlyTrick(found);
}

/** The simulation of NASA's Trick that has announced itself; throws an Error that lists them when it is not the only one. */
export function onlyTrick(found: readonly Discovered[]): Discovered {
  const all = found.filter(({ program }) => !OWN.test(program));
  const [first] = all;
  if (!first) throw new Error('no simulation of Trick has announced itself; name its server, such as localhost:7000');
  if (all.length > 1)
    throw new Error(`several have announced themselves; name one\n${[HEAD, ...all.map(rowOf)].join('\n')}`);
  return first;
}

const OWN = /^varwire-(.+)$/;
const WIDTHS = [24, 15, 10, 8, 16];
const row = (columns: readonly string[]): string =>
  columns.map((text, index) => printable(text).padEnd(WIDTHS[index] ?? 0)).join(' ');
const HEAD = row(['SERVER', 'MODE', 'USER', 'PID', 'VERSION', 'SIMULATION']);

/** A line of the table. */
export function rowOf(simulation: Discovered): string {
  const { host, port, mode, isEnabled, user, processId, version, directory, program, inputFile, tag } = simulation;
  const state = isEnabled ? modeName(mode) : 'closed';
  const [, own] = OWN.exec(program) ?? [];
  const name = [`${directory}/${own === undefined ? program : 'varwire'}`, inputFile, tag].filter(
    (text) => text !== '',
  );
  const server = own === undefined ? `Trick ${version}` : `varwire ${own}`;
  return row([`${host}:${port}`, state, user, String(processId), server, name.join(' ')]);
}
