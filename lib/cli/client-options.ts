// The options of all commands that talk to a running simulation: its address and how to reach it.
import { type ParseArgsConfig, parseArgs } from 'node:util';
import { type ConnectOptions, TrickClient } from '../client/index.js';
import { type Address, parseAddress } from '../transport/address.js';
import { UsageError } from './usage.js';

export const CONNECTION_OPTIONS = {
  udp: { type: 'boolean' },
  ascii: { type: 'boolean' },
  timeout: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies ParseArgsConfig['options'];

export const CONNECTION_HELP = `  --udp          use the UDP session of the port
  --ascii        ask for everything in ASCII
  --timeout S    seconds that an answer may take (5)`;

interface Given {
  readonly udp?: boolean | undefined;
  readonly ascii?: boolean | undefined;
  readonly timeout?: string | undefined;
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>;

/** parseArgs with one-sentence errors. Negative numbers after `known` positionals are values, not options. */
export function parseCommandLine<T extends Options>(command: string, args: readonly string[], options: T): Parsed<T> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true }) as Parsed<T>;
  } catch (error) {
    const [sentence] = (error as Error).message.split('. ');
    throw new UsageError(`${sentence}; varwire ${command} --help lists the options`);
  }
}

/** `host:port`, `[::1]:7000`, or a port of this machine. */
export function parseServer(text: string): Address {
  const server = parseAddress(/^:?\d+$/.test(text) ? `127.0.0.1:${text.replace(':', '')}` : text);
  if (!server?.port) throw new UsageError(`expected a server like localhost:7000, not ${text}`);
  return server;
}

export function parseSeconds(option: string, text: string): number {
  const seconds = Number(text);
  if (text.trim() === '' || !(seconds > 0 && Number.isFinite(seconds)))
    throw new UsageError(`--${option} takes seconds above 0, not ${text}`);
  return seconds;
}

export function connect(server: string, given: Given, options: Partial<ConnectOptions> = {}): Promise<TrickClient> {
  return TrickClient.connect({
    ...parseServer(server),
    tag: 'varwire',
    transport: given.udp ? 'udp' : 'tcp',
    form: given.ascii ? 'ascii' : 'binary',
    ...(given.timeout === undefined ? {} : { timeoutMillis: 1000 * parseSeconds('timeout', given.timeout) }),
    ...options,
  });
}

/** Connects a client while `use` runs. */
export async function withClient(
  server: string,
  given: Given,
  use: (client: TrickClient) => Promise<void>,
): Promise<void> {
  const client = await connect(server, given);
  try {
    await use(client);
  } finally {
    client.close();
  }
}
