// `varwire record SERVER -o FILE`: records a running simulation from outside, also NASA's Trick; with on or off switches its own recordings.
import { type Recorded, RowsFile, requireForm } from '../../source/recording/rows-file.js';
import { typeOf } from '../../source/recording/trk.js';
import { zstd } from '../../source/recording/zstd.js';
import type { Description, TrickClient, TrickValue, VariableDetails } from '../trick/index.js';
import { CONNECTION_OPTIONS, connect, JSON_OPTION, parseSeconds, TRICK_OPTIONS, withClient } from './client-options.js';
import { type CommandLine, type GivenLine, parseLine, textOf, wordsOf } from './command-line.js';
import { askedName, expandNames, namesOfTrick, suggesting } from './names.js';
import { MCAP_OPTIONS, mcapFrom } from './recording-options.js';
import { splitServer } from './server-name.js';
import { stopBySignal } from './stop-by-signal.js';
import { UsageError } from './usage.js';
import { printable } from './value-text.js';

const RECORD: CommandLine = {
  name: 'record',
  takes: '<server> -o <file> | <server> on|off',
  about:
    "Records variables of a running simulation to a file here, by its ending: .mcap, .trk or .csv. It speaks Trick's wire, so NASA's Trick is recorded too. Ctrl-C ends it. With on or off it switches the simulation's own recordings.",
  options: [
    ['-o, --output <file>', 'the file'],
    ['--variables <pattern...>', 'which variables (all numbers); * stands for anything but a dot'],
    ['--cycle <seconds>', 'simulation time between rows (0.1)'],
    ['--until <seconds>', 'simulation time at which it ends'],
    ...MCAP_OPTIONS,
    ['--force', 'replace a file that is there'],
    JSON_OPTION,
    ...TRICK_OPTIONS.slice(0, 1),
    ...CONNECTION_OPTIONS,
  ],
};
const ADVICE = 'varwire record takes a server and -o with a file, such as localhost:7000 -o run.mcap, or on or off';
const MOST_VALUES = 10_000;
const FLUSH_MILLIS = 1000;

export async function recordCommand(args: readonly string[]): Promise<void> {
  const given = parseLine(RECORD, args);
  if (!given) return;
  const [server, ...words] = splitServer(given.words, ADVICE);
  const file = textOf(given, 'output');
  const [state] = words;
  if (file !== undefined && words.length === 0) return recordTo(file, server, given);
  if (file !== undefined || (state !== 'on' && state !== 'off') || words.length > 1) throw new UsageError(ADVICE);
  await withClient('record', server, given, (client) => client.record(state === 'on'));
  if (given.values.json) console.log(JSON.stringify({ recording: state === 'on' }));
}

async function recordTo(path: string, server: string, given: GivenLine): Promise<void> {
  const cycleSeconds = parseSeconds('cycle', textOf(given, 'cycle') ?? '0.1');
  const until = textOf(given, 'until');
  const untilSeconds = until === undefined ? Number.POSITIVE_INFINITY : parseSeconds('until', until);
  requireForm(path);
  const { encoding, compression } = mcapFrom(given);
  const compress = compression === 'zstd' && path.endsWith('.mcap') ? await zstd() : undefined;
  const client = await connect('record', server, given);
  const stop = stopBySignal();
  stop.signal.addEventListener('abort', () => client.close());
  try {
    const columns = await columnsOf(client, wordsOf(given, 'variables'));
    const file = new RowsFile(
      path,
      columns.map(({ recorded }) => recorded),
      { server, began: new Date().toISOString() },
      given.values.force === true,
      { encoding, ...(compress && { compress }) },
    );
    const lost = await rowsOf(client, file, columns, { cycleSeconds, untilSeconds }, stop.signal);
    file.close(lost);
    const bytes = `${file.rows} rows of ${columns.length} values in ${path}`;
    if (lost === undefined) console.error(printable(`varwire: ${bytes}`));
    else throw new Error(`${lost}; there are ${bytes}`);
    // Without --until nothing else ends it.
    if (stop.signal.aborted && until !== undefined) process.exitCode = stop.signal.reason as number;
  } finally {
    stop.end();
    client.close();
  }
}

/** A single value: of which variable it is, and which of its elements. */
interface Single {
  readonly variable: string;
  readonly element: number;
  readonly recorded: Recorded;
}

/** Throws an Error with one sentence when nothing can be recorded, or too much. */
async function columnsOf(client: TrickClient, patterns: readonly string[]): Promise<readonly Single[]> {
  const known = namesOfTrick(client);
  const names =
    patterns.length === 0
      ? await known.all()
      : (
          await expandNames(
            known,
            patterns.map((pattern) => askedName(pattern)),
          )
        ).map(({ name }) => name);
  const unique = [...new Set(names)];
  const described = await suggesting(client, () => client.describe(unique));
  const details = await client.details(unique);
  const singles = described.flatMap((one, index) => singlesOf(one, details[index]));
  if (singles.length === 0) throw new Error('none of these variables is a number, and only numbers are recorded');
  if (singles.length > MOST_VALUES)
    throw new Error(
      `${singles.length} values are too many, ${MOST_VALUES} are recorded at most: --variables takes fewer`,
    );
  return singles;
}

function singlesOf({ name, type, elements }: Description, details: VariableDetails | undefined): Single[] {
  const bytes = Number(/\d+$/.exec(type.format ?? '')?.[0] ?? { float: 32, double: 64 }[type.format as string]) / 8;
  const leaf = type.kind === 'wideText' || type.kind === 'text' ? undefined : typeOf(type.code, bytes);
  if (!leaf || leaf.kind === 'text' || (type.kind === 'character' && elements !== 1)) return [];
  const units = details?.units ?? '--';
  return Array.from({ length: elements }, (_, element) => ({
    variable: name,
    element,
    recorded: { name: `${name}${indexText(element, elements, details?.dimensions ?? [])}`, units, type: leaf },
  }));
}

/** `[1][2]` of an element, by the dimensions of its array. */
function indexText(element: number, elements: number, dimensions: readonly number[]): string {
  if (elements === 1 && dimensions.length === 0) return '';
  const isKnown = dimensions.length > 0 && dimensions.reduce((product, extent) => product * extent, 1) === elements;
  let rest = element;
  return (isKnown ? [...dimensions] : [elements])
    .reverse()
    .map((extent) => {
      const index = rest % extent;
      rest = Math.floor(rest / extent);
      return `[${index}]`;
    })
    .reverse()
    .join('');
}

/** Records until the end. Resolves with why it has come too early, if it has. */
async function rowsOf(
  client: TrickClient,
  file: RowsFile,
  columns: readonly Single[],
  { cycleSeconds, untilSeconds }: { readonly cycleSeconds: number; readonly untilSeconds: number },
  signal: AbortSignal,
): Promise<string | undefined> {
  const names = [...new Set(columns.map(({ variable }) => variable))];
  const places = columns.map(({ variable, element }) => ({ at: names.indexOf(variable), element }));
  // By simulation time: so nothing comes while it stands.
  const updates = client.subscribe(names, { cycleSeconds, mode: 'scheduled' });
  const state: { seconds: number; failure?: Error } = { seconds: 0 };
  // Also while the simulation stands, so that a chunk is not open for long.
  const flushing = setInterval(() => {
    try {
      file.flush();
      show(file, state.seconds);
    } catch (error) {
      state.failure = error as Error;
      client.close();
    }
  }, FLUSH_MILLIS);
  try {
    for await (const { timeSeconds, values } of updates) {
      if (timeSeconds > untilSeconds && file.rows === 0)
        return `--until ${untilSeconds} has passed: it is ${timeSeconds} s`;
      if (timeSeconds > untilSeconds || signal.aborted || state.failure) break;
      file.add(
        timeSeconds,
        places.map(({ at, element }) => numberAt(values[at], element)),
      );
      state.seconds = timeSeconds;
      if (timeSeconds >= untilSeconds) break;
    }
    if (state.failure) return state.failure.message;
    if (!signal.aborted && !Number.isFinite(untilSeconds)) return 'the server has ended the connection';
  } catch (error) {
    if (!signal.aborted) return (state.failure ?? (error as Error)).message;
  } finally {
    clearInterval(flushing);
    if (process.stderr.isTTY && file.rows > 0) process.stderr.write('\n');
  }
  return undefined;
}

function show({ rows, sizeBytes }: RowsFile, seconds: number): void {
  if (process.stderr.isTTY && rows > 0)
    process.stderr.write(`\r${rows} rows to ${+seconds.toFixed(3)} s, ${Math.ceil(sizeBytes / 1000)} kB\x1b[K`);
}

function numberAt(value: TrickValue | undefined, element: number): number | bigint | boolean | undefined {
  const one = Array.isArray(value) ? (value[element] as TrickValue) : value;
  if (typeof one === 'string') return one.charCodeAt(0) || 0;
  return typeof one === 'number' || typeof one === 'bigint' || typeof one === 'boolean' ? one : undefined;
}
