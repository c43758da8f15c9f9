// `varwire get`: prints values of a running simulation, one per line.
import { CONNECTION_HELP, CONNECTION_OPTIONS, parseCommandLine, withClient } from './client-options.js';
import { UsageError } from './usage.js';
import { formatLine } from './value-text.js';

const HELP = `varwire get <host:port> <name>... [options]

  --units U      units to show the values in (their own)
${CONNECTION_HELP}`;

export async function getCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseCommandLine('get', args, { ...CONNECTION_OPTIONS, units: { type: 'string' } });
  if (values.help) return console.log(HELP);
  const [server, ...names] = positionals;
  if (server === undefined || names.length === 0)
    throw new UsageError('varwire get takes a server and names, such as localhost:7000 trick_sys.sched.time_tics');
  await withClient(server, values, async (client) => {
    const results = await client.get(names, { units: values.units ?? 'xx' });
    for (const [index, result] of results.entries()) console.log(formatLine(names[index] as string, result));
  });
}
