// `varwire info`: what is in a recording.
import { type Survey, survey } from '../../source/recording/survey.js';
import { OUTPUT_OPTIONS } from './client-options.js';
import { type CommandLine, parseLine } from './command-line.js';
import { opened, TIME_OPTION } from './recording-options.js';
import { outputForm } from './rows.js';
import { tableText } from './table.js';
import { UsageError } from './usage.js';
import { jsonText, printableLines } from './value-text.js';

const INFO: CommandLine = {
  name: 'info',
  takes: '<recording>',
  about: 'Prints how far a recording reaches, its rate and gaps, what is wrong with it, and its variables.',
  options: [TIME_OPTION, ...OUTPUT_OPTIONS],
};

export async function infoCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(INFO, args);
  if (!given) return;
  const [file, ...others] = given.words;
  if (file === undefined || others.length > 0)
    throw new UsageError('varwire info takes one recording, such as log_flight.trk');
  const recording = opened(file, given);
  const found = survey(recording);
  const { faults, format, time } = recording;
  if (outputForm(given) === 'json') {
    console.log(jsonText({ file: recording.file, format, time: time.name, ...found, faults }, 2));
    return;
  }
  const table = tableText(given, found.variables, {
    name: (row) => row.name,
    units: (row) => row.units,
    type: (row) => row.type,
  });
  if (outputForm(given) === 'csv') console.log(table);
  else {
    const sentences = [`${recording.file}: ${format}`, ...timesText(found, time.name), ...faults];
    console.log(`${printableLines(sentences.join('\n'))}\n\n${table}`);
  }
}

function timesText(found: Survey, time: string): string[] {
  const { rows, firstSeconds = 0, lastSeconds = 0, stepSeconds, gaps, firstGaps } = found;
  if (rows === 0) return ['no rows'];
  const every =
    stepSeconds === undefined ? '' : `, every ${stepSeconds} s (${Number((1 / stepSeconds).toPrecision(6))} Hz)`;
  const duration = Number((lastSeconds - firstSeconds).toPrecision(12));
  const counts = [
    [found.equalTimes, 'rows have the time of the row before'],
    [found.earlierTimes, 'rows are earlier than the row before'],
    [found.noTimes, 'rows have no time'],
  ] as const;
  const more = gaps > firstGaps.length ? `; ${gaps - firstGaps.length} more` : '';
  return [
    `${rows} rows from ${firstSeconds} to ${lastSeconds} s (${duration} s) by ${time}${every}`,
    ...(gaps === 0
      ? []
      : [`gaps: ${firstGaps.map((gap) => `${gap.fromSeconds} to ${gap.toSeconds} s`).join(', ')}${more}`]),
    ...counts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])),
  ];
}
