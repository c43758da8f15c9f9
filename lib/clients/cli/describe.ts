// `varwire describe`: what is known of variables.
import { BadReferenceError, type TrickClient, type VariableDetails } from '../trick/index.js';
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { suggesting } from './names.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { jsonText, printable } from './value-text.js';

const LINE: CommandLine = {
  name: 'describe',
  takes: '<server> <name>...',
  about:
    'Prints type, units, labels, members and what variables and structures are about. On the Trick wire this is what the description of the server says (send_sie_resource).',
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
    console.log(given.values.json ? jsonText(all, 2) : all.map(factsText).join('\n\n'));
  if (parseServer(server).kind === 'http') {
    const client = jsonClient(server, given);
    return show((await Promise.all(names.map((alias) => client.call('var/describe', { alias })))) as Facts[]);
  }
  await withClient('describe', server, given, async (client) =>
    show(await suggesting(client, () => factsOfTrick(client, names))),
  );
}

async function factsOfTrick(client: TrickClient, names: readonly string[]): Promise<Facts[]> {
  const readable = await client.readable(names);
  const withValue = names.filter((name) => readable.has(name.trim()));
  const values = withValue.length === 0 ? [] : await client.describe(withValue);
  const details = await client.details(names);
  return names.map((name, index) => {
    const value = values.find((one) => one.name === name.trim());
    const known = details[index];
    if (!value && !known) throw new BadReferenceError([name]);
    const type = known ? {} : { type: value?.type.name };
    const isUnlabelled = value?.type.kind === 'enumeration' && !known?.labels;
    return {
      name,
      ...type,
      ...(value && { elements: value.elements }),
      ...(known && factsOf(known)),
      ...(!known && { unknown: 'units, labels and members: the server does not describe it' }),
      ...(known && isUnlabelled && { unknown: 'labels: the server does not describe this enumeration' }),
    };
  });
}

const factsOf = ({ name, type, dimensions, units, about, access, labels, members }: VariableDetails): Facts => ({
  name,
  type,
  dimensions,
  units: units === '--' ? '1' : units,
  about,
  access,
  ...(labels && { labels: Object.fromEntries(labels) }),
  ...(members && { members: members.map(factsOf) }),
});

const factsText = (facts: Facts): string =>
  Object.entries(facts)
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => (name === 'members' ? memberLines(value) : [`${name}\t${factText(value)}`]))
    .join('\n');

/** One line for each: name, type, units and what it is about, by the names that either protocol has for them. */
function memberLines(members: unknown): string[] {
  const lines = (members as readonly Facts[]).map((member) => {
    const { name = member.alias, type = member.type_path, units = member.unit, about } = member;
    const extents = ((member.dimensions ?? member.dim ?? []) as readonly number[]).map((extent) => `[${extent || ''}]`);
    return [`  ${name}`, `${type}${extents.join('')}`, units, about].map(factText).join('\t').trimEnd();
  });
  return ['members', ...lines];
}

const factText = (value: unknown): string => printable(typeof value === 'string' ? value : JSON.stringify(value));
