// `varwire convert`: a recording in another form.
import { existsSync } from 'node:fs';
import { convert } from '../../source/recording/convert.js';
import { type CommandLine, parseLine } from './command-line.js';
import { opened, TIME_OPTION } from './recording-options.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const CONVERT: CommandLine = {
  name: 'convert',
  takes: '<recording> <file>',
  about: 'Writes a recording as another file, by its ending: .trk, .mcap, or .csv. The time becomes its first column.',
  options: [
    ['--trick', "of .csv: with the titles and digits of Trick's recordings, which are not always enough for a double"],
    ['--force', 'replace a file that is there'],
    TIME_OPTION,
  ],
};

export async function convertCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(CONVERT, args);
  if (!given) return;
  const [file, written, ...others] = given.words;
  if (file === undefined || written === undefined || others.length > 0)
    throw new UsageError('varwire convert takes a recording and a file, such as log_flight.trk flight.csv');
  if (!given.values.force && existsSync(written)) throw new Error(`${written} is there already; --force replaces it`);
  const recording = opened(file, given);
  for (const fault of recording.faults) console.error(printable(`varwire: ${file}: ${fault}`));
  const left = await convert(recording, written, given.values.trick === true);
  if (left.length > 0) console.error(printable(`varwire: such a file has no text: ${left.join(', ')} left out`));
}
