// `varwire describe`: what is known of variables.
import type { TrickClient } from '../client/index.js';
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { suggesting } from './names.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const LINE: CommandLine = {
  name: 'describe',
  takes: '<server> <name>...',
  about: 'Prints the type of variables; of a server of the web also units, labels, members and what they are about.',
  options: [...OUTPUT_OPTIONS.slice(0, 1), ...TRICK_OPTIONS, ...CONNECTION_OPTIONS],
};
const ADVICE = 'varwire describe takes a server and names, such as localhost:7000 ball.position';

type Facts = Readonly<Record<string, unknown>>;

export async function describeCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, ...names] = splitServer(given.words, ADVICE);
  if (names.length === 0) throw new UsageError(ADVICE);
  const show = (all: readonly Facts[]): void =>
    console.log(given.values.json ? JSON.stringify(all, null, 2) : all.map(factsText).join('\n\n'));
  if (parseServer(server).kind === 'http') {
    const client = jsonClient(server, given);
    return show((await Promise.all(names.map((alias) => client.call('var/describe', { alias })))) as Facts[]);
  }
  await withClient('describe', server, given, async (client) =>
    show(await suggesting(client, () => factsOfTrick(client, names))),
  );
}

async function factsOfTrick(client: TrickClient, names: readonly string[]): Promise<Facts[]> {
  const described = await client.describe(names);
  return described.map(({ name, type, elements }) => ({ name, type: type.name, elements }));
}

const factsText = (facts: Facts): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}\t${printable(typeof value === 'string' ? value : JSON.stringify(value))}`)
    .join('\n');
