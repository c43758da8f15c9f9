// All options of a server, each with its default.
import { LIMITS } from '../../model/bounds/limits.js';
import type { Value } from '../../model/state/read.js';
import type { Generation } from '../../protocols/brp/generation.js';
import type { AddedServices } from '../../protocols/krpc/service/procedure.js';
import type { WwwHandlers } from '../../protocols/trick-web/front-end.js';
import type { WwwOptions } from '../../protocols/trick-web/ports.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import type { Log } from '../../serving/session/log.js';
import type { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { Address } from '../../serving/transport/address.js';
import type { Connection } from '../../serving/transport/connection.js';
import type { FrontEnd } from '../../serving/transport/front-end.js';
import type { Trust, TrustOptions } from '../../serving/trust/trust.js';
import type { BoundOptions } from './bounds.js';
import type { AnswerChunk, FrontEndClient } from './front-end-client.js';

/** What a front-end of an embedding program gets. */
export interface FrontEndParts {
  /** All sessions, and the source that they read. */
  readonly registry: SessionRegistry;
  /** Streams of variables, on a cycle or when they change. The front-end's own: its `close` closes them. */
  readonly subscriptions: SubscriptionTable;
  /**
   * A variable by its path, in `units` or else in its own. Throws an UnknownVariableError, a WriteOnlyError or a
   * UnitsError.
   */
  readonly reference: (path: string, units?: string) => Reference;
  /**
   * Opens a session for a connection and starts reading. What has come goes to `answer`, in the client's turn; answers are
   * bounded, and watches and the session end with the connection.
   * @param name of the front-end, for lists and the log.
   */
  readonly accept: (name: string, connection: Connection, answer: AnswerChunk) => FrontEndClient;
  readonly clock: Clock;
  /** The operator's log. */
  readonly log: Log;
  /** The server has already asked it before a front-end sees a connection or a request. */
  readonly trust: Trust;
}

/** Options of a server of any source, as `varwire run` has them, and what only a program can give. */
export interface SourceOptions extends TrustOptions, BoundOptions {
  /** Address to bind. Default 127.0.0.1. An address that is not loopback, here or below, needs `tokens` or `allow`. */
  readonly host?: string;
  /** Port that speaks Trick text and HTTP. Default 7000; 0 takes a free one. */
  readonly port?: number;
  /** HTTP on a port of its own, or no HTTP. Default: the main port. */
  readonly http?: number | 'off';
  /** Address of the UDP session. Default: the main port's number; with `tls` none, because datagrams have no TLS. */
  readonly udp?: Address | 'off';
  /** Port that sends messages to Trick's Sim Control, which finds it by itself. Default: a free one. */
  readonly messages?: number | 'off';
  /**
   * Who may speak Trick text, which carries no token: `on` those whom the bound address and `allow` let in, `local`
   * programs on this machine, `off` nobody. Default `on`; with tokens and without `allow` it is `off`.
   */
  readonly trick?: TrickTrust;
  /** Further TCP ports that speak Trick text. */
  readonly tcp?: readonly Address[];
  /**
   * Port of kRPC's calls, on the main host or at an address; its streams have the next port. Its clients look at 50000.
   * Its TCP connections carry no token: the bound address and `allow` say who may connect. Default `off`.
   */
  readonly krpc?: number | Address | 'off';
  /** Services of your own for kRPC's clients, beside those of the simulation. */
  readonly krpcServices?: AddedServices;
  /** Multicast groups with a session each. */
  readonly multicast?: readonly { readonly group: string; readonly port: number }[];
  /** Whether the simulation is announced to Trick's clients. Default true. */
  readonly discovery?: boolean;
  /**
   * Port of Bevy's protocol, on the main host or at an address; `off`: it is not spoken on the main port either.
   * Default: 15702 on 127.0.0.1 if that is free, and only the main port when `port` is given.
   */
  readonly brp?: number | Address | 'off';
  /** The release of Bevy that an answer follows where the request does not tell it. Default 0.19. */
  readonly brpGeneration?: Generation;
  /** Port of Foxglove's protocol besides the main port, usually 8765; `off`: not on the main port either. */
  readonly foxglove?: number | Address | 'off';
  /** The most messages of a channel that Foxglove's clients get in a second of wall time. Default 60. */
  readonly foxgloveRate?: number;
  /** Whether language models may use the simulation by the Model Context Protocol, at POST /mcp. Default false. */
  readonly mcp?: boolean;
  /** Directories with recorded files that language models may list, read and compare, with those below. Default: none. */
  readonly mcpRuns?: readonly string[];
  /** Trick's web server, on a port of its own. Default: only when the input file sets `web.server.enable`. */
  readonly www?: WwwOptions;
  /** Port of Trick's JSON variable server, `GET /vars/ball/position`. Default: none. */
  readonly jsonvs?: number;
  /** What else a program answers at its /api/http/NAME and /api/ws/NAME. */
  readonly wwwHandlers?: WwwHandlers;
  /** The NATS server by which edges show the simulation too, such as `nats://broker:4222`. Default: none. */
  readonly nats?: string;
  /** The simulation's name there. Default: its own. */
  readonly natsName?: string;
  /** How long that server keeps its frames, in seconds, for `varwire play NAME --nats URL`; it needs JetStream. Default: not at all. */
  readonly natsKeepSeconds?: number;
  /** Certificate and key in PEM; with them every TCP connection uses TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** HTTP connections that may be open at once, streams and WebSockets included; more are refused. Default 10,000. */
  readonly maxConnections?: number;
  /** Connections of any protocol that one address may have open; more are refused. Default 2000. */
  readonly maxConnectionsPerAddress?: number;
  /** Directory whose files clients may read with send_file. Default: none. */
  readonly sendDirectory?: string;
  /** Trick input file that runs before the first frame. */
  readonly inputFile?: string;
  /**
   * Values by path, or by path and units (`ball.height{cm}`), written before the ports open: before the jobs of a
   * simulation's initialization, and after its input file.
   */
  readonly set?: Readonly<Record<string, Value>>;
  /** Directories whose files the input file may read, besides its own and the working directory. Default: none. */
  readonly inputDirectories?: readonly string[];
  /** Whether Trick clients may decide who else may connect (`var_add_ip`). Default: only the input file may. */
  readonly clientRules?: boolean;
  /** Protocols of your own, served beside the others. Each function is called once, with the parts that it may use. */
  readonly frontEnds?: readonly ((parts: FrontEndParts) => FrontEnd)[];
  /**
   * How long every value of what clients plot is kept for `var/history`, in seconds of the simulation's clock; what is older
   * is thinned to the least and greatest values. 0 keeps no past. Default 600.
   */
  readonly historySeconds?: number;
  /** Memory of the past, in bytes; when it is full, older values are thinned earlier. Default 256 MB. */
  readonly historyBytes?: number;
  /** Variables whose past is kept from the start, whether anybody plots them or not; of structures and arrays, their numbers. */
  readonly keep?: readonly string[];
  /** Recordings beside the simulation, as reference1, reference2 and so on: their past, and their values at its time. */
  readonly references?: readonly string[];
  /** The cycle of JSON subscriptions that ask for none, in milliseconds of simulation time. Default 100. */
  readonly defaultCycleMillis?: number;
  /** A layout in JSON that the page at GET / begins with, as it saves them. Default: it makes one of the variables. */
  readonly layoutFile?: string;
  /** JavaScript modules with panels for the page, each with one function `panel`; docs/page.md describes it. */
  readonly panelFiles?: readonly string[];
  readonly log?: Log;
  /** Wall time; a test passes its own clock. */
  readonly clock?: Clock;
}

/** Options of a server that starts its simulation itself. */
export interface ServeOptions extends SourceOptions {
  /** The simulation gets them as `sim.arguments`. */
  readonly arguments?: readonly string[];
  /** Where the simulation may write. Default: the input file's directory, or `RUN_varwire` without an input file. */
  readonly runDirectory?: string;
  /** A turn of the simulation that takes longer is reported, and nobody waits for its answers. Default 5000. */
  readonly stuckAfterMillis?: number;
  /** What clients may have written in the run directory in a run: checkpoints, recordings. Default 10 GB. */
  readonly diskQuotaBytes?: number;
}

/** What only a server on the caller's thread can take: functions cannot cross to another one. */
export type OwnThreadOptions = 'clock' | 'frontEnds' | 'krpcServices' | 'wwwHandlers';

/** The names of the options that a server on any thread has. */
const SHARED_OPTIONS = {
  host: true,
  port: true,
  http: true,
  udp: true,
  messages: true,
  trick: true,
  tcp: true,
  krpc: true,
  multicast: true,
  discovery: true,
  brp: true,
  brpGeneration: true,
  foxglove: true,
  foxgloveRate: true,
  mcp: true,
  mcpRuns: true,
  www: true,
  jsonvs: true,
  nats: true,
  natsName: true,
  natsKeepSeconds: true,
  tls: true,
  maxConnections: true,
  maxConnectionsPerAddress: true,
  sendDirectory: true,
  inputFile: true,
  set: true,
  inputDirectories: true,
  clientRules: true,
  historySeconds: true,
  historyBytes: true,
  keep: true,
  references: true,
  defaultCycleMillis: true,
  layoutFile: true,
  panelFiles: true,
  log: true,
  allow: true,
  tokens: true,
  hostNames: true,
  corsOrigins: true,
  requestsPerSecond: true,
  maxSubscriptions: true,
  maxValuesPerSecond: true,
  clientMemoryMegabytes: true,
} satisfies Record<keyof Omit<SourceOptions, OwnThreadOptions>, true>;

const OF_SIMULATION = {
  arguments: true,
  runDirectory: true,
  stuckAfterMillis: true,
  diskQuotaBytes: true,
} satisfies Record<Exclude<keyof ServeOptions, keyof SourceOptions>, true>;

const OF_OWN_THREAD = {
  clock: true,
  frontEnds: true,
  krpcServices: true,
  wwwHandlers: true,
} satisfies Record<OwnThreadOptions, true>;

/** The names of the options of `serveBeside` that it shares with `serve`. */
export const BESIDE_OPTIONS = { ...SHARED_OPTIONS, ...OF_SIMULATION };

/** The names of all options of `serveSource`. */
export const SOURCE_OPTIONS = Object.keys({ ...SHARED_OPTIONS, ...OF_OWN_THREAD });

/** The names of all options of `serve`. */
export const SERVE_OPTIONS = [...SOURCE_OPTIONS, ...Object.keys(OF_SIMULATION)];

export type TrickTrust = 'on' | 'local' | 'off';

/** Trick text carries no token: where tokens are required it is spoken only if the operator asks for it. */
export const trickTrustOf = ({ trick, tokens }: ServeOptions): TrickTrust => trick ?? (tokens?.size ? 'off' : 'on');

export const DEFAULT_PORT = 7000;
export const DEFAULT_HOST = '127.0.0.1';
export const DEFAULT_MAX_CONNECTIONS = LIMITS.httpConnections.all;
export const DEFAULT_MAX_CONNECTIONS_PER_ADDRESS = LIMITS.connections.ofAddress;
const DEFAULT_RUN_DIRECTORY = 'RUN_varwire';

/** The run directory that the options name; never empty. */
export const runDirectoryOf = ({ runDirectory, inputFile }: ServeOptions): string =>
  runDirectory ?? (inputFile === undefined ? DEFAULT_RUN_DIRECTORY : directoryOf(inputFile));

const directoryOf = (file: string): string => file.replace(/\/?[^/]*$/, '') || (file.startsWith('/') ? '/' : '.');
