// `varwire get`: prints values of a running simulation.
import { type TrickClient, type TrickValue, withLabels } from '../trick/index.js';
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import type { JsonClient } from './json-client.js';
import { type AskedName, askedName, expandNames, namesOfTrick, OWN_UNITS, suggesting } from './names.js';
import { outputForm, type Row, rowsText } from './rows.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { factsOfWeb, type LabelsByName, labelsIn, namesOfWeb, unitText } from './web-names.js';

const LINE: CommandLine = {
  name: 'get',
  takes: '<server> <name>...',
  about:
    'Prints values: one line each with name, value and units. A name may have units of its own, ball.x{ft}; * and ? stand for what no dot is in; a structure stands for all that it has.',
  options: [
    ['--units <units>', 'units to show the values in (their own)'],
    ...OUTPUT_OPTIONS,
    ...TRICK_OPTIONS,
    ...CONNECTION_OPTIONS,
  ],
};
const ADVICE = 'varwire get takes a server and names, such as localhost:7000 trick_sys.sched.time_tics';

export async function getCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, ...words] = splitServer(given.words, ADVICE);
  if (words.length === 0) throw new UsageError(ADVICE);
  const asked = words.map((word) => askedName(word, textOf(given, 'units')));
  const form = outputForm(given);
  const show = (rows: readonly Row[]): void => console.log(rowsText(rows, form));
  if (parseServer(server).kind === 'http') return show(await rowsOfWeb(jsonClient(server, given), asked));
  await withClient('get', server, given, async (client) =>
    show(await suggesting(client, () => rowsOfTrick(client, asked))),
  );
}

/** Values of Trick's wire, asked for once for all names with the same units. */
export async function rowsOfTrick(client: TrickClient, asked: readonly AskedName[]): Promise<Row[]> {
  const names = await expandNames(namesOfTrick(client), asked);
  const rows: Row[] = [];
  for (const units of new Set(names.map((one) => one.units))) {
    const group = names.filter((one) => one.units === units).map(({ name }) => name);
    const results = await client.get(group, { units });
    for (const [index, result] of results.entries()) rows.push({ name: group[index] as string, ...result });
  }
  const labels = await labelsOfTrick(client, rows);
  return rows.map((row) => ({ ...row, value: withLabels(row.value as TrickValue, labels.get(row.name)) }));
}

/** Labels of enumerations; none where the server does not tell them, because values can be shown as numbers. */
export const labelsOfTrick = (
  client: TrickClient,
  named: readonly { readonly name: string }[],
): Promise<LabelsByName> => client.labels(named.map(({ name }) => name)).catch(() => new Map());

/** As `rowsOfTrick`, by JSON-RPC. */
export async function rowsOfWeb(client: JsonClient, words: readonly AskedName[]): Promise<Row[]> {
  const asked = await expandNames(namesOfWeb(client), words);
  const facts = await factsOfWeb(
    client,
    asked.map(({ name }) => name),
  );
  const values = new Map<AskedName, unknown>();
  // A request has one unit for each name, and a name may be asked for in several.
  for (const units of new Set(asked.map((one) => one.units))) {
    const group = asked.filter((one) => one.units === units);
    const aliases = group.map(({ name }) => name);
    const wanted = units === OWN_UNITS ? {} : { units: Object.fromEntries(aliases.map((alias) => [alias, units])) };
    const answer = (await client.call('var/get', { aliases, ...wanted })) as { values: Record<string, unknown> };
    for (const one of group) values.set(one, answer.values[one.name]);
  }
  return asked.map((one, index) => ({
    name: one.name,
    value: withLabels(values.get(one) as TrickValue, labelsIn(facts[index])),
    units: one.units === OWN_UNITS ? unitText(facts[index]?.unit) : one.units,
  }));
}
