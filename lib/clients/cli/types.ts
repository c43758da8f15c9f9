// `varwire types`: the names and types of a simulation's variables, for TypeScript.
import { parseSieResource, type TrickClient } from '../trick/index.js';
import { CONNECTION_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { splitServer } from './server-name.js';
import { typeDeclarations } from './type-declarations.js';
import { UsageError } from './usage.js';
import { printableLines } from './value-text.js';

const LINE: CommandLine = {
  name: 'types',
  takes: '<server> [prefix]',
  about:
    "Prints the names and types of all variables as TypeScript: varwire types localhost:7000 > sim.d.ts, then TrickClient.connect<Variables>(...) with import type { Variables } from './sim.js'.",
  options: [...TRICK_OPTIONS.slice(0, 1), ...CONNECTION_OPTIONS],
};
const ADVICE = 'varwire types takes a server and the start of a name, such as localhost:7000 ball.';

export async function typesCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, prefix = '', ...others] = splitServer(given.words, ADVICE);
  if (others.length > 0) throw new UsageError(ADVICE);
  await withClient('types', server, given, async (client) =>
    console.log(printableLines(await declarations(client, server, prefix))),
  );
}

async function declarations(client: TrickClient, server: string, prefix: string): Promise<string> {
  const xml = await client.sieResource();
  if (xml === undefined) throw new Error(`${server} has no description of its variables (send_sie_resource)`);
  const text = typeDeclarations(parseSieResource(xml), server, prefix);
  if (text === undefined) throw new Error(`no variable of ${server} has a name that starts with ${prefix}`);
  return text;
}
