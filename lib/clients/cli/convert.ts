// `varwire convert`: a recording in another form.
import { convert } from '../../source/recording/convert.js';
import { type CommandLine, parseLine, wordsOf } from './command-line.js';
import {
  check,
  columnsMeant,
  MCAP_OPTIONS,
  mcapFrom,
  openedPast,
  PART_OPTIONS,
  partOf,
  RECORDING_OPTIONS,
  requireFree,
} from './recording-options.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const CONVERT: CommandLine = {
  name: 'convert',
  takes: '<recording> <file>',
  about:
    'Writes a recording, or a part of it, as another file, by its ending: .trk, .mcap, .parquet, .h5, or .csv. The time becomes its first column. A server in the place of a recording gives the past that it keeps.',
  options: [
    ['--variables <pattern...>', 'which variables (all); * stands for anything but a dot'],
    ...PART_OPTIONS,
    ['--trick', "of .csv: with the titles and digits of Trick's recordings, which are not always enough for a double"],
    ...MCAP_OPTIONS,
    ['--force', 'replace a file that is there'],
    ...RECORDING_OPTIONS,
  ],
};

export async function convertCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(CONVERT, args);
  if (!given) return;
  const [file, written, ...others] = given.words;
  if (file === undefined || written === undefined || others.length > 0)
    throw new UsageError('varwire convert takes a recording and a file, such as log_flight.trk flight.csv');
  requireFree(written, given);
  const patterns = wordsOf(given, 'variables');
  const part = partOf(given);
  const as = { isTricks: given.values.trick === true, ...mcapFrom(given) };
  const recording = await openedPast(file, given, patterns);
  check(recording);
  const wanted = new Set(patterns.flatMap((word) => columnsMeant(recording, word)));
  const left = await convert(recording, written, as, {
    ...part,
    ...(wanted.size > 0 && { isWanted: (column) => wanted.has(column) }),
  });
  if (left.length > 0) console.error(printable(`varwire: such a file has no text: ${left.join(', ')} left out`));
}
