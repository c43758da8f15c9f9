// `varwire set`: changes a variable of a running simulation and prints its new value.
import { type Description, SetRefusedError, type TrickClient, ValueTypeError } from '../client/index.js';
import { CONNECTION_HELP, CONNECTION_OPTIONS, parseCommandLine, withClient } from './client-options.js';
import { UsageError } from './usage.js';
import { formatLine, parseValue } from './value-text.js';

const HELP = `varwire set <host:port> <name> <value> [options]

Values: 1.5, true, a label of an enumeration, text, [1, 2, 3], [[1, 2], [3, 4]].

  --units U      units that the value is in (the variable's own)
${CONNECTION_HELP}`;

/**
 * What a server prints when its source accepts no writes at all; for a single refused value, the value shows it best.
 */
const REFUSAL = /^this source cannot be written: .*$/m;

export async function setCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseCommandLine('set', beforeNegative(args), {
    ...CONNECTION_OPTIONS,
    units: { type: 'string' },
  });
  if (values.help) return console.log(HELP);
  const [server, name, text, ...others] = positionals;
  if (server === undefined || name === undefined || text === undefined || others.length > 0)
    throw new UsageError('varwire set takes a server, a name and a value, such as localhost:7000 ball.x 1.5');
  await withClient(server, values, (client) => change(client, name, text, values.units));
}

/** A value such as -1.5 is not an option, so `--` goes before the positionals that end in it. */
function beforeNegative(args: readonly string[]): readonly string[] {
  const at = args.findIndex((arg) => /^-(\d|\.\d|inf)/.test(arg));
  return at < 0 || args.includes('--') ? args : [...args.slice(0, at), ...args.slice(at + 1), '--', args[at] as string];
}

async function change(client: TrickClient, name: string, text: string, units: string | undefined): Promise<void> {
  const [description] = (await client.describe([name])) as [Description];
  const value = parseValue(text, description);
  await client.send('trick.var_set_send_stdio(True)');
  const shown = { units: units ?? 'xx' };
  const refused = await client.set(name, value, units).then(() => undefined, problemOf);
  const line = formatLine(name, await client.get(name, shown));
  if (!refused) return console.log(line);
  const [sentence] = REFUSAL.exec(refused.printed) ?? [];
  throw new Error(sentence ?? `the simulation has not taken ${text}: ${line.replaceAll('\t', ' ')}`);
}

/** What the server printed of a value that it did not take; other errors are thrown. */
function problemOf(error: unknown): SetRefusedError {
  if (error instanceof SetRefusedError) return error;
  throw error instanceof ValueTypeError ? new UsageError(error.message) : error;
}
