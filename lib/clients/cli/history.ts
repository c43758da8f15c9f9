// `varwire history`: the past of variables, as the server has kept it.
import { textOf } from './command-line.js';
import { type AskedName, askedName, expandNames, OWN_UNITS, unitsByName } from './names.js';
import { csvLine, outputForm } from './rows.js';
import { askedServer, asking } from './table.js';
import { UsageError } from './usage.js';
import { jsonText } from './value-text.js';
import { namesOfWeb } from './web-names.js';

const LINE = asking(
  {
    name: 'history',
    takes: '<server> <name>...',
    about:
      'Prints the past of numbers as comma-separated values, a line for each time. A server keeps the past of what somebody plots or has asked for here, from then on.',
  },
  [
    ['--units <units>', 'units to show the values in (their own)'],
    ['--from <seconds>', 'simulation time (as early as is kept)'],
    ['--to <seconds>', 'simulation time (now)'],
    ['--points <n>', 'at most so many of each variable (1000)'],
  ],
);
const ADVICE = 'varwire history takes a server and names, such as localhost:7000 ball.position[1]';

interface Series {
  readonly times: readonly number[];
  readonly values: readonly unknown[];
}

export async function historyCommand(args: readonly string[]): Promise<void> {
  const asked = askedServer(LINE, args, ADVICE);
  if (!asked) return;
  const { given, client, words } = asked;
  if (words.length === 0) throw new UsageError(ADVICE);
  const names = await expandNames(
    namesOfWeb(client),
    words.map((word) => askedName(word, textOf(given, 'units'))),
  );
  const params = {
    aliases: names.map(({ name }) => name),
    units: unitsByName(names),
    ...numberOf('from', textOf(given, 'from')),
    ...numberOf('to', textOf(given, 'to')),
    ...numberOf('points', textOf(given, 'points')),
  };
  const answer = (await client.call('var/history', params)) as { readonly series: Readonly<Record<string, Series>> };
  if (outputForm(given) === 'json') console.log(jsonText(answer, 2));
  else console.log(csvOf(names, answer.series));
  const isEmpty = Object.values(answer.series).every(({ times }) => times.length === 0);
  if (isEmpty) console.error('varwire: nothing is kept of these times; the server keeps them from now on');
}

function numberOf(option: string, text: string | undefined): object {
  if (text === undefined) return {};
  const number = Number(text);
  if (text.trim() === '' || !Number.isFinite(number)) throw new UsageError(`--${option} takes a number, not ${text}`);
  return { [option]: number };
}

/** All times in order; a variable without a value at one of them has an empty field there. */
function csvOf(names: readonly AskedName[], series: Readonly<Record<string, Series>>): string {
  const columns = names.map(({ name }) => {
    const { times, values } = series[name] ?? { times: [], values: [] };
    return new Map(times.map((time, index) => [time, values[index]]));
  });
  const times = [...new Set(columns.flatMap((column) => [...column.keys()]))].sort((a, b) => a - b);
  const head = names.map(({ name, units }) => (units === OWN_UNITS ? name : `${name} {${units}}`));
  const lines = times.map((time) => [time, ...columns.map((column) => column.get(time))].map(textOfCell));
  return [['time {s}', ...head], ...lines].map(csvLine).join('\n');
}

const textOfCell = (value: unknown): string => (value === null || value === undefined ? '' : String(value));
