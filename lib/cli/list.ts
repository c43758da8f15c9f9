// `varwire list`: prints the variables of a running simulation, from the resource file that it sends.
import { isContainer, listVariables, parseSieResource, type SieVariable } from '../client/index.js';
import { CONNECTION_HELP, CONNECTION_OPTIONS, parseCommandLine, withClient } from './client-options.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const HELP = `varwire list <host:port> [prefix] [options]

A line is a name, its type and its units. Of a container, such as std__vector<double>, the elements have values: name[0].

${CONNECTION_HELP}`;

export async function listCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseCommandLine('list', args, CONNECTION_OPTIONS);
  if (values.help) return console.log(HELP);
  const [server, prefix = '', ...others] = positionals;
  if (server === undefined || others.length > 0)
    throw new UsageError('varwire list takes a server and the start of a name, such as localhost:7000 ball.');
  await withClient(server, values, async (client) => {
    const xml = await client.sieResource();
    if (xml === undefined) throw new Error(`${server} has no description of its variables (send_sie_resource)`);
    const found = [...listVariables(parseSieResource(xml), prefix)];
    const readable = await client.readable(found.map(({ name }) => name));
    const shown = found.filter((variable) => readable.has(variable.name) || isContainer(variable));
    for (const variable of shown) console.log(lineOf(variable));
    if (shown.length === 0) throw new Error(`no variable of ${server} has a name that starts with ${prefix}`);
  });
}

function lineOf({ name, type, dimensions, units }: SieVariable): string {
  const extents = dimensions.map((extent) => (extent === 0 ? '*' : `[${extent}]`)).join('');
  return [name, `${type}${extents}`, units === '--' ? '' : units].map(printable).join('\t').trimEnd();
}
