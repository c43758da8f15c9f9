// Everything that can be set about a server, with its default.
import { isIPv4 } from 'node:net';
import type { Clock } from '../session/clock.js';

export interface Address {
  readonly host: string;
  readonly port: number;
}

export interface ServeOptions {
  /** Address to bind. Default 127.0.0.1; any that is not loopback, here or below, needs `tokens` or `allow`. */
  readonly host?: string;
  /** Port that speaks Trick text and HTTP. Default 7000; 0 takes a free one. */
  readonly port?: number;
  /** HTTP on a port of its own, or none at all. Default: the main port. */
  readonly http?: number | 'off';
  /** Where the UDP session is. Default: the main port's number; none with `tls`, which datagrams do not have. */
  readonly udp?: Address | 'off';
  /** Port that sends messages to Trick's Sim Control, which finds it by itself. Default: a free one. */
  readonly messages?: number | 'off';
  /** Further TCP ports that speak Trick text. */
  readonly tcp?: readonly Address[];
  /** Multicast groups with a session each. */
  readonly multicast?: readonly { readonly group: string; readonly port: number }[];
  /** Whether the simulation is announced to Trick's clients. Default true. */
  readonly discovery?: boolean;
  /** Address ranges that may connect. Default: all that can reach the bound address, if that is loopback. */
  readonly allow?: readonly string[];
  /** Bearer tokens for HTTP, and what each may do. */
  readonly tokens?: ReadonlyMap<string, 'read-only' | 'read-write'>;
  /** Names by which HTTP clients may call this server, besides addresses and localhost. */
  readonly hostNames?: readonly string[];
  /** Origins of web pages elsewhere that may use this server. */
  readonly corsOrigins?: readonly string[];
  /** Certificate and key in PEM: everything on TCP is spoken inside TLS then. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** HTTP requests that one address may make in a second. Default: no limit. */
  readonly requestsPerSecond?: number;
  /** HTTP connections that may be open at once, streams and WebSockets included; more are refused. Default 10,000. */
  readonly maxConnections?: number;
  /** Connections of any protocol that one address may have open; more are refused. Default 1000. */
  readonly maxConnectionsPerAddress?: number;
  /** Directory whose files clients may read with send_file. Default: none. */
  readonly sendDirectory?: string;
  /** What the simulation gets as `sim.arguments`. */
  readonly arguments?: readonly string[];
  /** Trick input file that runs before the first frame. */
  readonly inputFile?: string;
  /** Where the simulation may write. Default the input file's directory, `RUN_varwire` without one. */
  readonly runDirectory?: string;
  readonly log?: Log;
  /** Wall time; a test passes its own. */
  readonly clock?: Clock;
}

export type LogLevel = 'error' | 'warning' | 'normal' | 'informational';

/** Facts by name, for programs that read the log: `session`, `peer`, `status`, `err` ... They can cross threads. */
export type LogFacts = Readonly<Record<string, unknown>>;

export type Log = (level: LogLevel, text: string, facts?: LogFacts) => void;

export const DEFAULT_PORT = 7000;
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_MAX_CONNECTIONS = 10_000;
const DEFAULT_RUN_DIRECTORY = 'RUN_varwire';

/** The run directory that the options name; never empty. */
export const runDirectoryOf = ({ runDirectory, inputFile }: ServeOptions): string =>
  runDirectory ?? (inputFile === undefined ? DEFAULT_RUN_DIRECTORY : directoryOf(inputFile));

const directoryOf = (file: string): string => file.replace(/\/?[^/]*$/, '') || (file.startsWith('/') ? '/' : '.');

/** An address bound that other machines may reach; undefined when all are loopback. */
export function openAddress({ host = DEFAULT_HOST, udp, tcp = [] }: ServeOptions): string | undefined {
  const hosts = [host, ...(udp && udp !== 'off' ? [udp.host] : []), ...tcp.map((address) => address.host)];
  return hosts.find((bound) => !isLoopback(bound));
}

/** Whether only programs on this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
