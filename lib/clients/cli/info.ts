// `varwire info`: what is in a recording.
import { type Survey, survey } from '../../source/recording/survey.js';
import { jsonClient, OUTPUT_OPTIONS } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine } from './command-line.js';
import { isPastOf, opened, RECORDING_OPTIONS } from './recording-options.js';
import { outputForm } from './rows.js';
import { type Columns, tableText } from './table.js';
import { UsageError } from './usage.js';
import { jsonText, printableLines } from './value-text.js';
import { listWeb } from './web-names.js';

const INFO: CommandLine = {
  name: 'info',
  takes: '<recording or server>',
  about:
    'Prints how far a recording reaches, its rate and gaps, what is wrong with it, and its variables; of a server how far it is, what it keeps of the past, and its variables.',
  options: [
    ['--check', 'look for damage in a large .mcap file too, by reading all of it'],
    ...RECORDING_OPTIONS,
    ...OUTPUT_OPTIONS,
  ],
};
/** So much is read in about a second. */
const QUICK_BYTES = 1e9;

export async function infoCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(INFO, args);
  if (!given) return;
  const [file, ...others] = given.words;
  if (file === undefined || others.length > 0)
    throw new UsageError('varwire info takes one recording or server, such as log_flight.trk');
  if (isPastOf(file)) return infoOfServer(file, given);
  const recording = await opened(file, given);
  if (given.values.check === true || recording.uncheckedBytes <= QUICK_BYTES) recording.check();
  const found = survey(recording);
  const { facts, format, time } = recording;
  const faults =
    recording.uncheckedBytes === 0
      ? recording.faults
      : [...recording.faults, 'it is large, so damage inside was not looked for: --check does'];
  if (outputForm(given) === 'json') {
    console.log(jsonText({ file: recording.file, format, time: time.name, ...found, facts, faults }, 2));
    return;
  }
  const table = tableText(given, found.variables, COLUMNS);
  if (outputForm(given) === 'csv') console.log(table);
  else {
    const sentences = [`${recording.file}: ${format}`, ...timesText(found, time.name), ...factsText(facts), ...faults];
    console.log(`${printableLines(sentences.join('\n'))}\n\n${table}`);
  }
}

async function infoOfServer(server: string, given: GivenLine): Promise<void> {
  const client = jsonClient(server, given);
  const status = (await client.call('sim/status')) as Status;
  const me = (await client.call('session/me')) as { readonly history_sec: number };
  const listed = await listWeb(client, { without: 'trick_*' });
  const variables = listed.map(({ alias, type_path, unit, dim }) => ({
    name: alias,
    units: unit === '1' ? '--' : unit,
    type: `${type_path}${dim.map((extent) => (extent === 0 ? '*' : `[${extent}]`)).join('')}`,
  }));
  if (outputForm(given) === 'json')
    return console.log(jsonText({ server, ...status, history_sec: me.history_sec, variables }, 2));
  const table = tableText(given, variables, COLUMNS);
  if (outputForm(given) === 'csv') return console.log(table);
  const { name, mode, sim_time, tick_ms, playback } = status;
  const kept =
    me.history_sec === 0 ? 'no past is kept' : `what is asked for is kept, every value of ${me.history_sec} s`;
  const sentences = [
    `${server}: ${name}, in mode ${mode}`,
    ...(playback
      ? [`a recording from ${playback.first_sec} to ${playback.last_sec} s`]
      : [`at ${sim_time.sec_si} s by ${sim_time.label}, every ${tick_ms / 1000} s`, kept]),
  ];
  console.log(`${printableLines(sentences.join('\n'))}\n\n${table}`);
}

interface Status {
  readonly name: string;
  readonly mode: string;
  readonly sim_time: { readonly sec_si: number; readonly label: string };
  readonly tick_ms: number;
  readonly playback?: { readonly first_sec: number; readonly last_sec: number };
}

const COLUMNS: Columns<Survey['variables'][number]> = {
  name: ({ name }) => name,
  units: ({ units }) => units,
  type: ({ type }) => type,
};

/** What the recorder has told of the run. */
function factsText(facts: Readonly<Record<string, string>>): string[] {
  const told = Object.entries(facts).filter(([, value]) => value !== '');
  return told.length === 0 ? [] : [`of the run: ${told.map(([name, value]) => `${name} ${value}`).join(', ')}`];
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
