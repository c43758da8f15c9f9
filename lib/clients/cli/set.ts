// `varwire set`: changes a variable of a running simulation and prints its new value.
import {
  type Description,
  SetRefusedError,
  type SettableValue,
  type TrickClient,
  ValueTypeError,
} from '../trick/index.js';
import { CONNECTION_OPTIONS, JSON_OPTION, jsonClient, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import { labelsOfTrick, rowsOfTrick, rowsOfWeb } from './get.js';
import type { JsonClient } from './json-client.js';
import { askedName, OWN_UNITS, suggesting } from './names.js';
import { nearest } from './nearest.js';
import { outputForm, type Row, rowsText } from './rows.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { jsonOf, parseValue } from './value-text.js';

const LINE: CommandLine = {
  name: 'set',
  takes: '<server> <name> <value>',
  about:
    'Changes a variable, and prints its new value. Values: 1.5, true, a label of an enumeration, text, [1, 2, 3], [[1, 2], [3, 4]]. The name may have units of its own, ball.x{ft}.',
  options: [
    ['--units <units>', "units that the value is in (the variable's own)"],
    JSON_OPTION,
    ...TRICK_OPTIONS,
    ...CONNECTION_OPTIONS,
  ],
};
const MOST_LABELS = 20;
const ADVICE = 'varwire set takes a server, a name and a value, such as localhost:7000 ball.x 1.5';

export async function setCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, word, text, ...others] = splitServer(given.words, ADVICE);
  if (word === undefined || text === undefined || others.length > 0) throw new UsageError(ADVICE);
  const { name, units: asked } = askedName(word, textOf(given, 'units'));
  const units = asked === OWN_UNITS ? undefined : asked;
  const form = outputForm(given);
  const show = (rows: readonly Row[]): void => console.log(rowsText(rows, form));
  if (parseServer(server).kind === 'http') return show(await changeByWeb(jsonClient(server, given), name, text, units));
  await withClient('set', server, given, async (client) =>
    show(await suggesting(client, () => change(client, name, text, units))),
  );
}

async function change(client: TrickClient, name: string, text: string, units: string | undefined): Promise<Row[]> {
  const [description] = (await client.describe([name])) as [Description];
  const value = parseValue(text, description);
  if (description.type.kind === 'enumeration') await requireLabels(client, name, value);
  const refused = await client.set(name, value, units).then(() => undefined, problemOf);
  const rows = await rowsOfTrick(client, [{ name, units: units ?? OWN_UNITS }]);
  if (!refused) return rows;
  const { reason } = refused;
  // A reason that is not about this variable holds for all of them, so this variable's value would explain nothing.
  if (reason !== undefined && !reason.startsWith(`${name} is `)) throw new Error(reason);
  const line = rowsText(rows, 'lines').replaceAll('\t', ' ');
  throw new Error(`the simulation has not taken ${text}: ${line}${reason === undefined ? '' : `; ${reason}`}`);
}

/** Throws an Error with the nearest labels for one that the enumeration does not have, where the server tells them. */
async function requireLabels(client: TrickClient, name: string, value: SettableValue): Promise<void> {
  const labels = (await labelsOfTrick(client, [{ name }])).get(name);
  if (!labels) return;
  const known = [...labels.values()];
  const stray = [value].flat(9).find((one) => typeof one === 'string' && !known.includes(one));
  if (stray === undefined) return;
  const near = nearest(String(stray), known);
  const advice =
    near.length > 0 ? `; did you mean ${near.join(' or ')}?` : `, but ${known.slice(0, MOST_LABELS).join(', ')}`;
  throw new Error(`${name} has no label ${stray}${advice}`);
}

/** What the server printed of a value that it did not take; other errors are thrown. */
function problemOf(error: unknown): SetRefusedError {
  if (error instanceof SetRefusedError) return error;
  throw error instanceof ValueTypeError ? new UsageError(error.message) : error;
}

async function changeByWeb(client: JsonClient, alias: string, text: string, units: string | undefined): Promise<Row[]> {
  await client.call('var/set', { alias, value: jsonOf(text), wait: true, ...(units !== undefined && { units }) });
  return rowsOfWeb(client, [{ name: alias, units: units ?? OWN_UNITS }]);
}
