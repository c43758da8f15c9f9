// `varwire list`: prints the variables of a running simulation.
import { isContainer, listVariables, parseSieResource, type SieVariable, type TrickClient } from '../trick/index.js';
import { CONNECTION_OPTIONS, jsonClient, OUTPUT_OPTIONS, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { isPattern, patternOf } from './names.js';
import { csvLine, type OutputForm, outputForm } from './rows.js';
import { parseServer, splitServer } from './server-name.js';
import { UsageError } from './usage.js';
import { jsonText, printable } from './value-text.js';
import { listWeb, unitText } from './web-names.js';

const LINE: CommandLine = {
  name: 'list',
  takes: '<server> [prefix or pattern]',
  about:
    "Prints what has a value: name, type and units; Trick's own variables only with --all or by their names. Of a container, such as std__vector<double>, the elements have values: name[0].",
  options: [
    ['--all', "Trick's own variables too (trick_sys.sched.time_tics)"],
    ...OUTPUT_OPTIONS,
    ...TRICK_OPTIONS,
    ...CONNECTION_OPTIONS,
  ],
};
const ADVICE = 'varwire list takes a server and the start of a name, such as localhost:7000 ball.';

interface Listed {
  readonly name: string;
  readonly type: string;
  readonly units: string;
}

export async function listCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(LINE, args);
  if (!given) return;
  const [server, prefix = '', ...others] = splitServer(given.words, ADVICE);
  if (others.length > 0) throw new UsageError(ADVICE);
  const form = outputForm(given);
  const hasAll = given.values.all === true || prefix.startsWith('trick');
  const show = (found: readonly Listed[]): void => {
    const listed = hasAll ? found : found.filter(({ name }) => !name.startsWith('trick_'));
    if (listed.length === 0) throw new Error(`no variable of ${server} has a name that starts with ${prefix}`);
    console.log(listText(listed, form));
  };
  if (parseServer(server).kind === 'http') return show(await listOfWeb(server, given, prefix));
  await withClient('list', server, given, async (client) => show(await listOfTrick(client, server, prefix)));
}

async function listOfTrick(client: TrickClient, server: string, prefix: string): Promise<Listed[]> {
  const xml = await client.sieResource();
  if (xml === undefined) throw new Error(`${server} has no description of its variables (send_sie_resource)`);
  const pattern = isPattern(prefix) ? patternOf(prefix) : undefined;
  const start = prefix.replace(/[*?].*$/, '');
  const found = [...listVariables(parseSieResource(xml), start)].filter(({ name }) => !pattern || pattern.test(name));
  const readable = await client.readable(found.map(({ name }) => name));
  return found.filter((variable) => readable.has(variable.name) || isContainer(variable)).map(listedOf);
}

function listedOf({ name, type, dimensions, units }: SieVariable): Listed {
  const extents = dimensions.map((extent) => (extent === 0 ? '*' : `[${extent}]`)).join('');
  return { name, type: `${type}${extents}`, units: units === '--' ? '' : units };
}

async function listOfWeb(server: string, given: GivenLine, prefix: string): Promise<Listed[]> {
  const wish = isPattern(prefix) ? { pattern: prefix } : prefix === '' ? {} : { prefix };
  const listed = await listWeb(jsonClient(server, given), wish);
  return listed.map(({ alias, type_path, unit, dim }) => {
    const extents = dim.map((extent) => (extent === 0 ? '*' : `[${extent}]`)).join('');
    return { name: alias, type: `${type_path}${extents}`, units: unitText(unit) ?? '' };
  });
}

function listText(listed: readonly Listed[], form: OutputForm): string {
  if (form === 'json') return jsonText(listed, 2);
  if (form === 'csv')
    return ['name,type,units', ...listed.map(({ name, type, units }) => csvLine([name, type, units]))].join('\n');
  return listed.map(({ name, type, units }) => [name, type, units].map(printable).join('\t').trimEnd()).join('\n');
}
