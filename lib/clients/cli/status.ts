// `varwire status`: what the simulation is doing.
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { outputForm, type Row, rowsText } from './rows.js';
import { parseServer, splitServer } from './server-name.js';
import { timeOfTrick } from './time-rows.js';
import { UsageError } from './usage.js';

const LINE: CommandLine = {
  name: 'status',
  takes: '<server>',
  about: 'Prints mode and time of the simulation; of a server of the web also what it says of itself.',
  options: [...OUTPUT_OPTIONS, ...TRICK_OPTIONS, ...CONNECTION_OPTIONS],
};
const ADVICE = 'varwire status takes a server, such as localhost:7000';

export async function statusCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, ...others] = splitServer(given.words, ADVICE);
  if (others.length > 0) throw new UsageError(ADVICE);
  const form = outputForm(given);
  const show = (rows: readonly Row[]): void => console.log(rowsText(rows, form));
  if (parseServer(server).kind === 'http') return show(await statusOfWeb(server, given));
  await withClient('status', server, given, async (client) => show(await timeOfTrick(client)));
}

async function statusOfWeb(server: string, given: GivenLine): Promise<Row[]> {
  const status = (await jsonClient(server, given).call('sim/status')) as Record<string, unknown>;
  return Object.entries(status).map(([name, value]) => ({ name, value, units: undefined }));
}
