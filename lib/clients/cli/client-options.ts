// The options of all commands that talk to a running simulation, and the clients that they make.
import type { ConnectOptions, TrickClient } from '../trick/index.js';
import type { CommandLine, GivenLine } from './command-line.js';
import { textOf } from './command-line.js';
import { JsonClient } from './json-client.js';
import { trickAddressOf, webAddressOf } from './server-name.js';
import { InterruptedError, UsageError } from './usage.js';

export const TRICK_OPTIONS: CommandLine['options'] = [
  ['--udp', 'use the UDP session of the port'],
  ['--ascii', 'ask for everything in ASCII'],
];
export const CONNECTION_OPTIONS: CommandLine['options'] = [
  ['--timeout <seconds>', 'how long an answer may take (5)'],
  ['--token <token>', 'for JSON-RPC (VARWIRE_TOKEN)'],
  ['--tls', 'the server speaks TLS; NODE_EXTRA_CA_CERTS names more certificates to trust'],
];
export const JSON_OPTION: CommandLine['options'][number] = ['--json', 'print JSON'];
export const OUTPUT_OPTIONS: CommandLine['options'] = [JSON_OPTION, ['--csv', 'print comma-separated values']];

/** A timer takes no more. */
const MOST_TIMER_SECONDS = 2_000_000;

/** Throws a UsageError. @param most of an option that is about the time of the simulation there is no such bound. */
export function parseSeconds(option: string, text: string, most = Number.MAX_VALUE): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds > 0 && seconds <= most) return seconds;
  const bound = most === Number.MAX_VALUE ? '' : `, at most ${most}`;
  throw new UsageError(`--${option} takes seconds above 0${bound}, not ${text.trim()}`);
}

/** Of the clock of this machine. Throws a UsageError. */
export const parseWait = (option: string, text: string): number => parseSeconds(option, text, MOST_TIMER_SECONDS);

function timeoutOf(given: GivenLine): { readonly timeoutMillis?: number } {
  const text = textOf(given, 'timeout');
  return text === undefined ? {} : { timeoutMillis: 1000 * parseWait('timeout', text) };
}

/** Loads what speaks Trick's wire, which most commands do without. */
export async function connect(
  command: string,
  server: string,
  given: GivenLine,
  options: Partial<ConnectOptions> = {},
): Promise<TrickClient> {
  const { TrickClient } = await import('../trick/index.js');
  return TrickClient.connect({
    ...trickAddressOf(command, server),
    tag: 'varwire',
    transport: given.values.udp ? 'udp' : 'tcp',
    tls: given.values.tls === true,
    form: given.values.ascii ? 'ascii' : 'binary',
    ...timeoutOf(given),
    ...options,
  });
}

/**
 * Connects a client while `use` runs. A signal that interrupts the command closes the client first. Throws an
 * InterruptedError.
 */
export async function withClient(
  command: string,
  server: string,
  given: GivenLine,
  use: (client: TrickClient) => Promise<void>,
): Promise<void> {
  const interrupted = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new InterruptedError(signal)));
  });
  const connecting = connect(command, server, given);
  try {
    await Promise.race([connecting.then(use), interrupted]);
  } finally {
    // Also one that was interrupted while it connected says goodbye.
    connecting.then((client) => client.close()).catch(() => undefined);
  }
}

export const jsonClient = (server: string, given: GivenLine): JsonClient =>
  new JsonClient(webAddressOf(server, given.values.tls === true), {
    token: textOf(given, 'token'),
    ...timeoutOf(given),
  });
