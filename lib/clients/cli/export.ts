// `varwire export`: what `varwire plot` draws, as a table of numbers.
import { type Product, type ProductAxis, type ProductVariable, TIME } from '../../../grammar/data-product/product.js';
import type { Column } from '../../simulation/recording/row.js';
import { convert } from '../../source/recording/convert.js';
import type { Recording } from '../../source/recording/recording.js';
import { type Selected, SelectedRecording } from '../../source/recording/selected.js';
import { type CommandLine, parseLine, textOf } from './command-line.js';
import { askedName, OWN_UNITS } from './names.js';
import { readProduct } from './product-file.js';
import {
  check,
  columnsMeant,
  nameInRun,
  openedTogether,
  PART_OPTIONS,
  partOf,
  RECORDING_OPTIONS,
  recordingsAndNames,
  requireFree,
} from './recording-options.js';
import { shownAs } from './shown-units.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const EXPORT: CommandLine = {
  name: 'export',
  takes: '<recording>... [name]... -o <file>',
  about:
    'Writes what varwire plot draws as a table: variables of one recording, or of several on one time, in the units behind their names (ball.height{ft}); all without names. The ending of the file says how: .csv, .parquet, .trk, .mcap or .h5. A server in the place of a recording gives the past that it keeps.',
  options: [
    ['-o, --output <file>', 'where it goes'],
    ['--layout <file>', "instead of names: what plots and tables of Trick's data products show, in their units"],
    ...PART_OPTIONS,
    ['--force', 'replace a file that is there'],
    ...RECORDING_OPTIONS,
  ],
};
const ADVICE =
  "varwire export takes recordings, names, and -o with a file, such as log_flight.trk 'ball.position[1]' -o flight.csv";

type Wish = Pick<ProductVariable, 'name' | 'units' | 'scale' | 'bias'>;

/** One or several names of the same data: the first that there is counts. */
type Wishes = readonly (readonly Wish[])[];

export async function exportCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(EXPORT, args);
  if (!given) return;
  const [written, layout] = [textOf(given, 'output'), textOf(given, 'layout')];
  const { sources, names } = recordingsAndNames(given.words);
  if (written === undefined || sources.length === 0 || (layout !== undefined && names.length > 0))
    throw new UsageError(ADVICE);
  requireFree(written, given);
  const part = partOf(given);
  const isLenient = layout !== undefined;
  const wishes: Wishes = isLenient ? wishesOf(readProduct(layout)) : names.map((name) => [wishOf(name)]);
  const wanted = wishes.flat().map(({ name }) => name);
  const recording = await openedTogether(sources, given, wanted, isLenient);
  try {
    check(recording);
    const shown =
      wishes.length === 0 ? recording : new SelectedRecording(recording, selectedOf(recording, wishes, isLenient));
    const left = await convert(shown, written, {}, part);
    if (left.length > 0) console.error(printable(`varwire: such a file has no text: ${left.join(', ')} left out`));
  } finally {
    recording.close();
  }
}

function wishOf(word: string): Wish {
  const { name, units } = askedName(word);
  return { name, scale: 1, bias: 0, ...(units !== OWN_UNITS && { units }) };
}

/** What plots show, x too, and then the columns of tables. */
function wishesOf({ pages, tables }: Product): Wishes {
  const inUnits = (wish: Wish, { units }: ProductAxis): Wish => (units === undefined ? wish : { units, ...wish });
  const ofPlots = pages.flatMap(({ plots }) =>
    plots.flatMap(({ curves, x, y }) =>
      curves.flatMap((curve) => [curve.map((each) => inUnits(each.x, x)), curve.map((each) => inUnits(each.y, y))]),
    ),
  );
  const ofTables = tables.flatMap(({ columns }) => columns.map((column) => [column]));
  const all = [...ofPlots, ...ofTables].filter(([first]) => first && first.name !== TIME);
  const keyOf = ({ name, units, scale, bias }: Wish): unknown => [name, units, scale, bias];
  return [...new Map(all.map((wish) => [JSON.stringify(wish.map(keyOf)), wish])).values()];
}

/** @param isLenient says of names that there are not, and passes them over. */
function selectedOf(recording: Recording, wishes: Wishes, isLenient: boolean): Selected[] {
  const found = wishes.flatMap((names) => {
    const columnsOf = isLenient ? columnsNamed : columnsMeant;
    const all = names.map((wish) => columnsOf(recording, wish.name).map((column) => selected(wish, column)));
    const first = all.find((columns) => columns.length > 0);
    if (!first) console.error(printable(`varwire: ${recording.file} has no ${names[0]?.name}`));
    return (first ?? []).filter(({ column }) => column !== recording.time);
  });
  if (found.length === 0) throw new Error(`${recording.file} has none of these variables`);
  return found;
}

const columnsNamed = (recording: Recording, wanted: string): readonly Column[] =>
  recording.columns.filter(({ name }) => name === wanted || nameInRun(recording, name) === wanted);

function selected(wish: Wish, column: Column): Selected {
  const { units, scale, bias } = wish;
  if (column.type.kind === 'text' || (units === undefined && scale === 1 && bias === 0))
    return { column, units: column.units };
  const scaled = scale === 1 ? column.name : `${scale} * ${column.name}`;
  return { column, name: bias === 0 ? scaled : `${scaled} + ${bias}`, ...shownAs(wish, column) };
}
