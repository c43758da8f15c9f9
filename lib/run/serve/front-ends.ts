// The front-ends of a server, one entry each: the only file that knows all of them.
import { hostname } from 'node:os';
import { BrpFrontEnd } from '../../protocols/brp/front-end.js';
import { LATEST } from '../../protocols/brp/generation.js';
import { USUAL_PORT } from '../../protocols/brp/ports.js';
import { EdgeFrontEnd, newEpoch } from '../../protocols/edge/front-end.js';
import { NatsFrontEnd } from '../../protocols/edge/nats-front-end.js';
import { FoxgloveFrontEnd } from '../../protocols/foxglove/front-end.js';
import { httpFrontEnd } from '../../protocols/http/front-end.js';
import type { ConnectionFacts } from '../../protocols/http/metrics.js';
import type { CallContext } from '../../protocols/json-rpc/call-context.js';
import type { Method } from '../../protocols/json-rpc/method.js';
import { KrpcFrontEnd } from '../../protocols/krpc/front-end.js';
import { McpFrontEnd } from '../../protocols/mcp/front-end.js';
import { Downloads } from '../../protocols/run-files/downloads.js';
import { recordingFiles } from '../../protocols/run-files/recording-file.js';
import { sceneFiles } from '../../protocols/run-files/scene-file.js';
import { showMessageAddress } from '../../protocols/trick/catalog/trick-variables.js';
import { Discovery } from '../../protocols/trick/front-end/discovery.js';
import type { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import { MessageFrontEnd } from '../../protocols/trick/front-end/message-port.js';
import { TrickWebFrontEnd } from '../../protocols/trick-web/front-end.js';
import { ClientSessions } from '../../serving/session/client-sessions.js';
import { MarkLog } from '../../serving/session/mark-log.js';
import { MessageLog } from '../../serving/session/message-log.js';
import { Reference } from '../../serving/session/reference.js';
import { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { Address } from '../../serving/transport/address.js';
import type { Endpoint, FrontEnd, OpenPort } from '../../serving/transport/front-end.js';
import { multicastSender } from '../../serving/transport/multicast.js';
import { VERSION } from '../../simulation/recording/version.js';
import type { RunQuestion } from '../../source/recording/run-answers.js';
import { FrontEndClient } from './front-end-client.js';
import { DEFAULT_HOST, type FrontEndParts, type SourceOptions, trickTrustOf } from './options.js';
import type { ServerLog } from './server-log.js';
import type { SimulationPlace } from './side-by-side.js';

/** What all front-ends of a server share. */
type SharedParts = Pick<FrontEndParts, 'registry' | 'clock' | 'log' | 'trust'>;

/** What the front-ends of this project get. */
export interface ServerParts extends SharedParts {
  readonly options: SourceOptions;
  readonly serverLog: ServerLog;
  /** The transport's counts, for statistics. */
  readonly connections: () => ConnectionFacts;
  /**
   * Opens one more endpoint while the server runs. Rejects with one sentence; undefined when the options switch the
   * endpoint off.
   */
  readonly openEndpoint: (endpoint: Endpoint) => Promise<OpenPort | undefined>;
  /** What the page lets people choose from. */
  readonly simulations: () => readonly SimulationPlace[];
}

/** Input files run in Trick's front-end, and others show its port. Undefined where nobody needs its language. */
type PartsWithTrick = ServerParts & { readonly trick: TrickFrontEnd | undefined };

/** What front-ends get that share their port with Bevy's protocol, which is made first. */
interface Shared extends PartsWithTrick {
  readonly clients: ClientSessions;
  readonly brp: BrpFrontEnd | undefined;
  readonly messages: MessageLog;
}

/** What front-ends get that call the methods of JSON-RPC. */
interface WithMethods extends Shared {
  readonly http: ReturnType<typeof httpFrontEnd>;
}

/** Their rows in the table of ports are in port-options.ts. */
const FRONT_ENDS: readonly ((parts: WithMethods) => FrontEnd | undefined)[] = [
  ({ trick }) => trick,
  createMessages,
  ({ http }) => http,
  ({ brp }) => brp,
  createDiscovery,
  createKrpc,
  createFoxglove,
  createMcp,
  createTrickWeb,
  ({ registry, http }) => new EdgeFrontEnd(registry, newEpoch(), http.methodCalls),
  createNats,
];

/** This project's front-ends, Trick's first if there is one, then those of the options. */
export function createFrontEnds(parts: ServerParts, trick: TrickFrontEnd | undefined): readonly FrontEnd[] {
  const clients = new ClientSessions(parts.registry);
  const messages = new MessageLog();
  parts.serverLog.onMessage((message) => messages.add(message));
  const shared = { ...parts, trick, clients, messages, brp: createBrp(parts, clients) };
  const http = createHttp(shared);
  const own = FRONT_ENDS.map((create) => create({ ...shared, http }));
  const further = (parts.options.frontEnds ?? []).map((create) => create(partsOf(parts)));
  return [...own.filter((frontEnd) => frontEnd !== undefined), ...further];
}

/** What is no number here is refused when the port opens. */
const placeOf = (at: number | Address, host: string): Address => (typeof at === 'object' ? at : { host, port: at });

/** Undefined when the options switch the protocol off. */
function createBrp({ registry, options, log }: ServerParts, clients: ClientSessions): BrpFrontEnd | undefined {
  const { host = DEFAULT_HOST, brp, port, brpGeneration: preferred = LATEST } = options;
  if (brp === 'off') return undefined;
  // An operator who moves the main port may run several servers; only one of them could have the usual port.
  const usual = port === undefined ? { host: DEFAULT_HOST, port: USUAL_PORT } : 'off';
  const at = brp === undefined ? usual : placeOf(brp, host);
  const givesWay = brp === undefined;
  return new BrpFrontEnd({ registry, clients, version: VERSION, preferred, at, givesWay, log });
}

/** What one front-end of an embedding program gets. */
function partsOf({ registry, clock, log, trust }: SharedParts): FrontEndParts {
  const reference: FrontEndParts['reference'] = (path, units) => new Reference(registry.source, path, units);
  const subscriptions = new SubscriptionTable(registry);
  const client = { registry, subscriptions, log };
  const accept: FrontEndParts['accept'] = (...accepted) => new FrontEndClient(client, ...accepted);
  return { registry, subscriptions, reference, accept, clock, log, trust };
}

/** Trick's Sim Control finds this port in a variable, and the simulation owns the variables. */
function createMessages({ options, registry, serverLog }: PartsWithTrick): FrontEnd {
  const { source } = registry;
  const { host = DEFAULT_HOST, messages = 0 } = options;
  const facts = {
    hostname: hostname(),
    simulation: source.info.name,
    nowMillis: () => performance.timeOrigin + performance.now(),
    source,
  };
  const isOff = messages === 'off' || trickTrustOf(options) === 'off';
  const at: Address | 'off' = isOff ? 'off' : { host, port: messages };
  const frontEnd = new MessageFrontEnd({ registry, log: serverLog.say }, facts, at, async ({ port }) => {
    try {
      await source.submit(showMessageAddress({ hostname: facts.hostname, port }));
    } catch (error) {
      serverLog.say('warning', `the message port is not announced: ${(error as Error).message}`);
    }
  });
  serverLog.onMessage((message) => frontEnd.say(message));
  return frontEnd;
}

function createHttp(parts: Shared): ReturnType<typeof httpFrontEnd> {
  const { registry, log, options, connections, clients, brp, trick, messages } = parts;
  const { historySeconds, historyBytes, keep, defaultCycleMillis, layoutFile, panelFiles } = options;
  const marks = new MarkLog(registry.source, messages, registry);
  if (trick) trick.server.events.onFired = (name, timeSeconds) => marks.fired(name, timeSeconds);
  const { source } = registry;
  const folders = [
    recordingFiles(() => source.info.runDirectory),
    sceneFiles(source.info.folder, () => source.catalog),
  ];
  const downloads = new Downloads(folders, parts.clock);
  registry.ledger.show('downloads', downloads.counts);
  return httpFrontEnd({
    registry,
    version: VERSION,
    log,
    connections,
    clients,
    messages,
    marks,
    page: { layoutFile, panelFiles, simulations: parts.simulations },
    isTls: options.tls !== undefined,
    moreMethods: () => moreMethods(parts),
    downloads,
    ...(brp && { neighbour: brp }),
    ...(historySeconds !== undefined && { historySeconds }),
    ...(historyBytes !== undefined && { historyBytes }),
    ...(keep !== undefined && { keep }),
    ...(defaultCycleMillis !== undefined && { defaultCycleMillis }),
  });
}

/** Loaded when the first method is called. */
async function moreMethods({ options, trick }: Shared): Promise<readonly Method<CallContext>[]> {
  const [{ checkpointListMethods }, { layoutMethods }, { recordingMethods }, { studyMethods }, spoken] =
    await Promise.all([
      import('../../protocols/run-files/checkpoint-list.js'),
      import('../../protocols/run-files/layout-methods.js'),
      import('../../protocols/run-files/recording-methods.js'),
      import('../../protocols/run-files/study-method.js'),
      // JSON-RPC calls carry tokens, which Trick text cannot; so only the option `trick` switches the language off here.
      trick && options.trick !== 'off'
        ? import('../../protocols/trick/methods/index.js').then(({ trickMethods }) => trickMethods(trick))
        : [],
    ]);
  return [...checkpointListMethods, ...layoutMethods, ...recordingMethods, ...studyMethods, ...spoken];
}

function createDiscovery({ registry, trick, options }: PartsWithTrick): FrontEnd | undefined {
  const { host = DEFAULT_HOST, discovery = true } = options;
  if (!trick || !discovery || trickTrustOf(options) === 'off') return undefined;
  return new Discovery({ registry, server: trick.server, host, version: VERSION, openSender: multicastSender });
}

function createKrpc({ registry, log, options }: PartsWithTrick): FrontEnd | undefined {
  const { host = DEFAULT_HOST, krpc = 'off', krpcServices = { services: [] } } = options;
  if (krpc === 'off') return undefined;
  return new KrpcFrontEnd({ registry, log, at: placeOf(krpc, host), version: VERSION, added: krpcServices });
}

function createFoxglove({ registry, options, messages, http }: WithMethods): FrontEnd | undefined {
  const { host = DEFAULT_HOST, foxglove, foxgloveRate: hertz } = options;
  if (foxglove === 'off') return undefined;
  if (hertz !== undefined && !(hertz >= 0.1 && hertz <= 1000))
    throw new RangeError(`foxgloveRate is a number of messages a second from 0.1 to 1000, not ${hertz}`);
  const at = foxglove === undefined ? undefined : placeOf(foxglove, host);
  const { source } = registry;
  const { find: findAsset } = sceneFiles(source.info.folder, () => source.catalog);
  return new FoxgloveFrontEnd({ registry, calls: http.methodCalls, messages, findAsset, at, hertz });
}

function createMcp({ registry, clients, options, http }: WithMethods): FrontEnd | undefined {
  if (!options.mcp) return undefined;
  return new McpFrontEnd({ registry, clients, calls: http.methodCalls, version: VERSION, runs: runsOf(options) });
}

/** What is asked of recorded runs, where directories are named. The thread is begun by the first question. */
function runsOf({ mcpRuns = [] }: SourceOptions) {
  if (mcpRuns.length === 0) return undefined;
  const desk = import('../../source/recording/run-desk.js').then(({ RunDesk }) => new RunDesk(mcpRuns));
  return async (kind: string, given: object) => (await desk).ask({ kind, ...given } as RunQuestion);
}

function createNats({ registry, log, options, http }: WithMethods): FrontEnd | undefined {
  const { nats: url, natsName: name = registry.source.info.name, natsKeepSeconds: keepSeconds } = options;
  return url === undefined
    ? undefined
    : new NatsFrontEnd({ registry, log, epoch: newEpoch(), url, name, calls: http.methodCalls, keepSeconds });
}

function createTrickWeb(parts: WithMethods): FrontEnd | undefined {
  const { registry, clients, options, trick, log, openEndpoint, http } = parts;
  if (!trick) return undefined;
  const { host = DEFAULT_HOST, www, jsonvs, wwwHandlers: handlers = {} } = options;
  // A request carries a token, which Trick text cannot.
  const hasLanguage = options.trick !== 'off';
  return new TrickWebFrontEnd({
    ...{ registry, clients, trick, host, www, jsonvs, handlers, hasLanguage, log, openEndpoint },
    calls: http.methodCalls,
  });
}
