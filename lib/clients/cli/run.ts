// `varwire run`: serves a simulation until it ends or the terminal interrupts it.
import { readFileSync, statSync } from 'node:fs';
import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { RunningServer, ServeOptions } from '../../index.js';
import { PORT_OPTIONS } from '../../run/serve/port-options.js';
import { serve } from '../../run/serve/serve.js';
import { becomeServer, surviveDefects } from '../../run/serve/server-process.js';
import { parsePorts } from './addresses.js';
import { banner } from './banner.js';
import { closeInTime, endInTime } from './end-in-time.js';
import { isLogFormat, openLog } from './log.js';
import { parseSettings } from './settings.js';
import { simulationFile } from './simulation-file.js';
import { endByHangUp } from './stop-by-signal.js';
import { refusedLine, UsageError } from './usage.js';
import { printable } from './value-text.js';

/** Makes lines such as `  --udp ADDR:PORT|off    where the UDP session is (the main port's number)`. */
const PORT_LINES = PORT_OPTIONS.map(({ option, takes, about, byDefault, isRepeatable }) => {
  const note = isRepeatable ? 'repeatable' : byDefault;
  return `  ${`--${option} ${takes}`.padEnd(22)} ${about} (${note})`;
});

const HELP = `Usage: varwire run <simulation> [options] [-- arguments of the simulation]

Serves a simulation: a .js, .mjs or .ts file that exports one, an FMU (.fmu), or an example of the package, such as sims/ball.
With --fast it runs without a server, as fast as it computes; varwire run --fast --help shows how. varwire run <server> is
varwire resume.

Options:
${PORT_LINES.join('\n')}
  --host A               address to bind (127.0.0.1; others need --allow or --token-file)
  --no-discovery         do not announce the simulation to Trick's clients
  --allow RANGE          who may connect, such as 10.1.0.0/16, or a name of this machine (repeatable)
  --token-file FILE      tokens for HTTP, one a line, each followed by read-only or read-write
  --trick on|local|off   who may speak Trick text, which carries no token (on; with tokens: off)
  --cert FILE --key FILE speak TLS on every TCP port
  --host-name NAME       a name by which HTTP clients call this server (repeatable)
  --cors ORIGIN          a web origin that may use this server (repeatable)
  --rate N               HTTP requests one address may make in a second; twice as many may come at once
  --max-connections N    HTTP connections that may be open at once (10000)
  --max-connections-per-address N  connections of any protocol that one address may have (2000)
  --max-subscriptions N  subscriptions of all clients; one may have half (10000)
  --max-values N         values a second that all clients may ask for; one half of them (40000000)
  --client-memory MB     what is kept, and what waits unread, for all clients (256)
  --history TIME         how long every value of what is plotted is kept, such as 30s, or off; older ones are thinned (10min)
  --history-memory SIZE  memory of the past of all variables, such as 100MB (256MB)
  --reference FILE       a recording beside the simulation, as reference1 and so on: for plots, and its values at the time (repeatable)
  --keep NAME            a variable whose past is kept from the start (repeatable)
  --cycle MS             the cycle of JSON subscriptions that ask for none (100)
  --layout FILE          the layout that the page in browsers begins with, as it saves them, or a DP or .tv file of Trick
  --panel FILE           a module with a panel for that page (repeatable)
  --send-dir DIR         directory whose files clients may read with send_file
  --set NAME=VALUE       a value to start from, in units by NAME{cm}, before the jobs of the initialization (repeatable)
  --input FILE           Trick input file to run before the first frame; --set comes after it
  --input-dir DIR        a further directory whose files it may read (repeatable)
  --client-rules         Trick clients may decide who else may connect (var_add_ip)
  --run-dir DIR          where the simulation may write (the input file's directory, else RUN_varwire)
  --brp-generation N     the release of Bevy whose shapes ambiguous answers follow, 0.15 to 0.19 (0.19)
  --foxglove-rate HZ     the most messages of a channel that Foxglove's clients get in a second (60)
  --mcp                  language models may use the simulation, at POST /mcp
  --mcp-runs DIR         directory with recorded files that they may read and compare (repeatable)
  --www PORT[:DIR]       Trick's web server, usually 8888, with the files of a directory (www)
  --jsonvs PORT          Trick's JSON variable server: GET /vars/ball/position
  --nats URL             edges show it too, by a NATS server such as nats://broker:4222
  --nats-name NAME       how it is called there (its own name)
  --nats-keep S          the server keeps so many seconds of it, which varwire play NAME --nats URL shows
  --disk-quota SIZE      what clients may have written there, such as 500MB (10GB)
  --stuck-after S        seconds after which a job that does not return is reported (5)
  --log text|json        how the log is written, on the standard error (text)
  --verbose              log sessions and refusals too; json always does`;

const OPTIONS = {
  host: { type: 'string' },
  'no-discovery': { type: 'boolean' },
  allow: { type: 'string', multiple: true },
  'token-file': { type: 'string' },
  trick: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  'host-name': { type: 'string', multiple: true },
  cors: { type: 'string', multiple: true },
  rate: { type: 'string' },
  'max-connections': { type: 'string' },
  'max-connections-per-address': { type: 'string' },
  'max-subscriptions': { type: 'string' },
  'max-values': { type: 'string' },
  'client-memory': { type: 'string' },
  history: { type: 'string' },
  'history-memory': { type: 'string' },
  keep: { type: 'string', multiple: true },
  reference: { type: 'string', multiple: true },
  cycle: { type: 'string' },
  layout: { type: 'string' },
  panel: { type: 'string', multiple: true },
  'send-dir': { type: 'string' },
  'run-dir': { type: 'string' },
  set: { type: 'string', multiple: true },
  input: { type: 'string' },
  'input-dir': { type: 'string', multiple: true },
  'client-rules': { type: 'boolean' },
  'brp-generation': { type: 'string' },
  'foxglove-rate': { type: 'string' },
  mcp: { type: 'boolean' },
  'mcp-runs': { type: 'string', multiple: true },
  www: { type: 'string' },
  jsonvs: { type: 'string' },
  nats: { type: 'string' },
  'nats-name': { type: 'string' },
  'nats-keep': { type: 'string' },
  'disk-quota': { type: 'string' },
  'stuck-after': { type: 'string' },
  log: { type: 'string' },
  verbose: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

const PORTS: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
  PORT_OPTIONS.map(({ option, isRepeatable = false }) => [option, { type: 'string', multiple: isRepeatable }]),
);

const RUN_HELP = 'varwire run --help lists the options';

type Given = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

export async function runCommand(args: readonly string[]): Promise<void> {
  const split = args.indexOf('--');
  const [own, simArguments] = split < 0 ? [args, []] : [args.slice(0, split), args.slice(split + 1)];
  if (own.includes('--fast')) return (await import('./fast-run.js')).fastRunCommand(own, simArguments);
  const fast = own.find((word) => /^--(until|read|seed)(=|$)/.test(word));
  if (fast !== undefined)
    throw new UsageError(`${fast.replace(/=.*/s, '')} goes with --fast; varwire run --fast --help shows how`);
  const { values, positionals } = parseServer(own, RUN_HELP);
  if (values.help) return console.log(HELP);
  const { file, options } = toServe(values, positionals);
  await serveUntilEnd(values, (log) => serve(file, { ...options, arguments: simArguments, log }));
}

/**
 * Starts a server with the log of its command line, and waits until it ends or a signal ends it.
 * @param tell says that it is ready.
 */
export async function serveUntilEnd(
  { log = 'text', verbose = false }: Pick<Given, 'log' | 'verbose'>,
  start: (log: Awaited<ReturnType<typeof openLog>>) => Promise<RunningServer>,
  tell = (server: RunningServer): void => console.log(banner(server)),
): Promise<void> {
  if (!isLogFormat(log)) throw new UsageError(`--log takes text or json, not ${log}`);
  becomeServer();
  const opened = await openLog(log, verbose);
  const server = await start(opened);
  surviveDefects(opened);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => closeInTime(server));
  process.once('SIGHUP', () => {
    endByHangUp();
    closeInTime(server);
  });
  // Who reads it may send a signal at once.
  tell(server);
  server.source.onEnd((_, exitCode) => {
    process.exitCode = exitCode;
  });
  const reason = await server.ended;
  endInTime(server);
  await server.close();
  console.log(printable(`varwire: ${reason}`));
}

/** Parses the arguments of a server, all but the log. Throws a UsageError. */
export function parseServed(args: readonly string[]): { readonly file: string; readonly options: ServeOptions } {
  const { values, positionals } = parseServer(args, RUN_HELP);
  return toServe(values, positionals);
}

function toServe(values: Given, [file, ...others]: readonly string[]): { file: string; options: ServeOptions } {
  if (file === undefined || others.length > 0)
    throw new UsageError('varwire run takes one simulation file; varwire run --help shows how');
  return { file: simulationFile(file), options: optionsOf(values) };
}

/** @param more options besides those of `varwire run`. Throws a UsageError. */
export function parseServer<M extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  where: string,
  more?: M,
): { values: Given & ReturnType<typeof parseArgs<{ options: M }>>['values']; positionals: string[] } {
  try {
    const options = { ...PORTS, ...OPTIONS, ...more };
    return parseArgs({ args: [...args], options, allowPositionals: true }) as never;
  } catch (error) {
    throw refusedLine(error, where);
  }
}

export function optionsOf(given: Given): ServeOptions {
  const { cert, key, rate } = given;
  return {
    ...present('host', given.host, asIs),
    ...parsePorts(PORT_OPTIONS, given),
    ...present('allow', given.allow, asIs),
    ...present('tokens', given['token-file'], readTokens),
    ...present('hostNames', given['host-name'], asIs),
    ...present('trick', given.trick, parseTrick),
    ...present('corsOrigins', given.cors, (origins) => origins.map(parseOrigin)),
    ...present('requestsPerSecond', rate, parseRate),
    ...present('maxConnections', given['max-connections'], (text) => parseCount('max-connections', text)),
    ...present('maxConnectionsPerAddress', given['max-connections-per-address'], (text) =>
      parseCount('max-connections-per-address', text),
    ),
    ...present('maxSubscriptions', given['max-subscriptions'], (text) => parseCount('max-subscriptions', text)),
    ...present('maxValuesPerSecond', given['max-values'], (text) => parseCount('max-values', text)),
    ...present('clientMemoryMegabytes', given['client-memory'], (text) => parseCount('client-memory', text)),
    ...present('historySeconds', given.history, parseHistory),
    ...present('historyBytes', given['history-memory'], (text) => parseSize('history-memory', text, HISTORY_BYTES)),
    ...present('keep', given.keep, asIs),
    ...present('references', given.reference, asIs),
    ...present('defaultCycleMillis', given.cycle, parseCycle),
    ...present('layoutFile', given.layout, asIs),
    ...present('panelFiles', given.panel, asIs),
    ...present('sendDirectory', given['send-dir'], (path) => requireDirectory('send-dir', path)),
    ...present('set', given.set, parseSettings),
    ...present('inputFile', given.input, asIs),
    ...present('inputDirectories', given['input-dir'], (paths) =>
      paths.map((path) => requireDirectory('input-dir', path)),
    ),
    ...present('runDirectory', given['run-dir'], asIs),
    ...present('diskQuotaBytes', given['disk-quota'], (text) => parseSize('disk-quota', text, QUOTA_BYTES)),
    ...present('brpGeneration', given['brp-generation'], parseGeneration),
    ...present('foxgloveRate', given['foxglove-rate'], parseHertz),
    ...present('www', given.www, parseWww),
    ...present('jsonvs', given.jsonvs, parseJsonvs),
    ...present('nats', given.nats, asIs),
    ...present('natsName', given['nats-name'], asIs),
    ...present('natsKeepSeconds', given['nats-keep'], (text) => parseCount('nats-keep', text)),
    ...present('stuckAfterMillis', given['stuck-after'], parseStuckAfter),
    ...tlsOf(cert, key),
    clientRules: given['client-rules'] ?? false,
    ...present('mcpRuns', given['mcp-runs'], (paths) => paths.map((path) => requireDirectory('mcp-runs', path))),
    mcp: given.mcp ?? given['mcp-runs'] !== undefined,
    discovery: !given['no-discovery'],
  };
}

/** `{ key: value }`, or an empty object when the option was not given. */
function present<K extends keyof ServeOptions, T>(
  key: K,
  value: T | undefined,
  parseValue: (value: T) => NonNullable<ServeOptions[K]>,
): Pick<ServeOptions, K> {
  return (value === undefined ? {} : { [key]: parseValue(value) }) as Pick<ServeOptions, K>;
}

const asIs = <T>(value: T): T => value;

function parseRate(text: string): number {
  const rate = Number(text);
  if (!(rate > 0)) throw new UsageError(`--rate takes requests a second, not ${text}`);
  return rate;
}

/** As browsers send it, `null` too: any other text would never fit. */
function parseOrigin(text: string): string {
  if (text === 'null' || (URL.canParse(text) && new URL(text).origin === text)) return text;
  throw new UsageError(`--cors takes an origin such as https://screens.example, without a path, not ${text}`);
}

function requireDirectory(option: string, path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--${option} takes a directory, and ${path} is none`);
}

function parseTrick(text: string): NonNullable<ServeOptions['trick']> {
  if (text === 'on' || text === 'local' || text === 'off') return text;
  throw new UsageError(`--trick takes on, local or off, not ${text}`);
}

const GENERATIONS = ['0.15', '0.16', '0.17', '0.18', '0.19'] as const;

function parseGeneration(text: string): (typeof GENERATIONS)[number] {
  const found = GENERATIONS.find((generation) => generation === text);
  if (found === undefined) throw new UsageError(`--brp-generation takes ${GENERATIONS.join(', ')}, not ${text}`);
  return found;
}

const SIZES: Readonly<Record<string, number>> = { '': 1, k: 1e3, m: 1e6, g: 1e9, t: 1e12 };

interface Sizes {
  readonly least: number;
  readonly most: number;
  /** For people. */
  readonly texts: string;
}

/** The counters of a quota have 32 bits. */
const QUOTA_BYTES: Sizes = { least: 0, most: 200e12, texts: '500MB, at most 200TB' };
const HISTORY_BYTES: Sizes = { least: 1e6, most: 64e9, texts: '100MB, from 1MB to 64GB' };

function parseSize(option: string, text: string, { least, most, texts }: Sizes): number {
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d+)?) ?([kmgt])?b?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (SIZES[unit.toLowerCase()] as number);
  if (bytes >= least && bytes <= most) return bytes;
  throw new UsageError(`--${option} takes a size such as ${texts}, not ${text}`);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, min: 60, h: 3600 };
const LONGEST_HISTORY_SECONDS = 86_400;

function parseHistory(text: string): number {
  if (text === 'off') return 0;
  const [, digits, unit = 's'] = /^(\d{1,6}(?:\.\d+)?) ?(s|min|h)?$/.exec(text) ?? [];
  const seconds = Number(digits) * (SECONDS[unit] as number);
  if (seconds > 0 && seconds <= LONGEST_HISTORY_SECONDS) return seconds;
  throw new UsageError(`--history takes a time such as 30s, 10min or 1h, at most 24h, or off, not ${text}`);
}

const LONGEST_CYCLE_MILLIS = 3_600_000;

function parseCycle(text: string): number {
  const millis = Number(text);
  if (text.trim() !== '' && millis >= 0 && millis <= LONGEST_CYCLE_MILLIS) return millis;
  throw new UsageError(`--cycle takes milliseconds from 0 to ${LONGEST_CYCLE_MILLIS}, not ${text}`);
}

function parseHertz(text: string): number {
  const hertz = Number(text);
  if (hertz >= 0.1 && hertz <= 1000) return hertz;
  throw new UsageError(`--foxglove-rate takes messages a second from 0.1 to 1000, not ${text}`);
}

function parseWww(text: string): NonNullable<ServeOptions['www']> {
  const [, port, directory] = /^(\d{1,5})(?::(.+))?$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new UsageError(`--www takes a port from 0 to 65535, and a directory behind a colon, not ${text}`);
  return { port: Number(port), ...(directory !== undefined && { directory: requireDirectory('www', directory) }) };
}

function parseJsonvs(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--jsonvs takes a port from 0 to 65535, not ${text}`);
}

const LONGEST_STUCK_SECONDS = 3600;

function parseStuckAfter(text: string): number {
  const seconds = Number(text.replace(/s$/, ''));
  if (seconds >= 0.1 && seconds <= LONGEST_STUCK_SECONDS) return 1000 * seconds;
  throw new UsageError(
    `--stuck-after takes seconds from 0.1 to ${LONGEST_STUCK_SECONDS}, such as 5 or 5s, not ${text}`,
  );
}

const MOST_OF_COUNT = 999_999_999;

function parseCount(option: string, text: string): number {
  const isCount = /^[1-9]\d*$/.test(text) && Number(text) <= MOST_OF_COUNT;
  if (!isCount) throw new UsageError(`--${option} takes a whole number from 1 to ${MOST_OF_COUNT}, not ${text}`);
  return Number(text);
}

function tlsOf(cert: string | undefined, key: string | undefined): Pick<ServeOptions, 'tls'> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined || key === undefined) throw new UsageError('--cert and --key go together');
  return { tls: { cert: readOption('cert', cert), key: readOption('key', key) } };
}

function readOption(option: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new UsageError(`--${option} names a file that cannot be read: ${file}`);
  }
}

/** One token a line; `read-only` or `read-write` after it, read-write by default; `#` starts a comment. */
function readTokens(file: string): ReadonlyMap<string, 'read-only' | 'read-write'> {
  const tokens = new Map<string, 'read-only' | 'read-write'>();
  for (const line of readOption('token-file', file).split('\n')) {
    const [token, rights = 'read-write'] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (!token) continue;
    if (rights !== 'read-only' && rights !== 'read-write')
      throw new UsageError(`a token is read-only or read-write, not ${rights}`);
    tokens.set(token, rights);
  }
  if (tokens.size === 0) throw new UsageError(`${file} holds no token`);
  return tokens;
}
