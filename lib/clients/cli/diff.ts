// `varwire diff`: where two recordings differ.
import { compare, type Difference, type ValuePair } from '../../source/recording/compare.js';
import type { Recording } from '../../source/recording/recording.js';
import { OUTPUT_OPTIONS } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { check, isPastOf, numberFrom, openedPast, RECORDING_OPTIONS } from './recording-options.js';
import { outputForm, plain } from './rows.js';
import { tableText } from './table.js';
import { UsageError } from './usage.js';
import { formatValue, jsonText, printable } from './value-text.js';

const DIFF: CommandLine = {
  name: 'diff',
  takes: '<recording> <recording>',
  about:
    'Compares variables of the same name at the times that both recordings have. Ends with 0 when they are the same, with 1 when anything differs: values, variables, units or times. A server in the place of a recording gives the past that it keeps, of the variables that the other has.',
  options: [
    ['--tolerance <number>', 'by how much numbers may differ (0)'],
    ['--relative <part>', 'by what part of the greater number they may differ besides, such as 1e-9 (0)'],
    ...RECORDING_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
};

export async function diffCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(DIFF, args);
  if (!given) return;
  const [one, other, ...more] = given.words;
  if (one === undefined || other === undefined || more.length > 0)
    throw new UsageError('varwire diff takes two recordings, such as log_flight.trk reference/log_flight.trk');
  const tolerance = {
    absolute: numberFrom(given, 'tolerance', 0) ?? 0,
    relative: numberFrom(given, 'relative', 0) ?? 0,
  };
  const both = await bothOf([one, other], given);
  for (const recording of both) check(recording);
  const found = compare(...both, tolerance);
  const { differences, unlike, rows, alone, variables } = found;
  if (differences.length + unlike.length + alone[0] + alone[1] > 0) process.exitCode = 1;
  const form = outputForm(given);
  if (form === 'json') console.log(jsonText({ ...found, differences: differences.map(plainOf) }, 2));
  else if (form === 'csv' || differences.length > 0) console.log(tableText(given, differences, COLUMNS));
  if (form !== 'lines') return;
  for (const sentence of unlike) console.log(printable(sentence));
  if (alone[0] > 0) console.log(printable(`${alone[0]} rows of ${one} have no row at their time in ${other}`));
  if (alone[1] > 0) console.log(printable(`${alone[1]} rows of ${other} have no row at their time in ${one}`));
  console.log(`${differences.length} of ${variables} variables differ in ${rows} rows`);
}

/** A server is asked for what the other one has. */
async function bothOf([one, other]: readonly [string, string], given: GivenLine): Promise<[Recording, Recording]> {
  if (!isPastOf(one)) {
    const first = await openedPast(one, given);
    return [first, await openedPast(other, given, namesOf(first), true)];
  }
  const second = await openedPast(other, given);
  return [await openedPast(one, given, namesOf(second), true), second];
}

const namesOf = ({ columns, time }: Recording): string[] =>
  columns.filter((column) => column !== time).map(({ name }) => name);

const valueText = (place: ValuePair, index: 0 | 1): string => formatValue(place.values[index] ?? undefined);

const COLUMNS = {
  name: ({ name }: Difference) => name,
  rows: ({ rows }: Difference) => String(rows),
  first_time: ({ first }: Difference) => String(first.seconds),
  first: ({ first }: Difference) => `${valueText(first, 0)} ${valueText(first, 1)}`,
  largest_time: ({ largest }: Difference) => String(largest.seconds),
  largest: ({ largest }: Difference) => `${valueText(largest, 0)} ${valueText(largest, 1)}`,
  by: ({ largest }: Difference) => formatValue(largest.by),
};

const plainOf = ({ name, rows, first, largest }: Difference) => ({
  name,
  rows,
  first: plainPlace(first),
  largest: plainPlace(largest),
});

const plainPlace = ({ seconds, values, by }: ValuePair) => ({ seconds, values: values.map(plain), by: plain(by) });
