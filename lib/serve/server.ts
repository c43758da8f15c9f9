// The composition root: a source, its sessions, every front-end and every port.
import { lookup } from 'node:dns/promises';
import { hostname, userInfo } from 'node:os';
import { InputFile } from '../files/input-file.js';
import { SendDirectory } from '../files/send-directory.js';
import { type HttpFrontEnd, httpFrontEnd } from '../http/front-end.js';
import { systemClock } from '../session/clock.js';
import { SessionRegistry } from '../session/registry.js';
import type { SimMessage, Source } from '../source/source.js';
import type { Connection } from '../transport/connection.js';
import { type MulticastSender, multicastSender } from '../transport/multicast.js';
import { DISCOVERY_GROUPS, DISCOVERY_PORT, DISCOVERY_SECONDS, discoveryMessage } from '../trick/front-end/discovery.js';
import { TrickFrontEnd } from '../trick/front-end/front-end.js';
import { MessagePort } from '../trick/front-end/message-port.js';
import type { GivenServer } from '../trick/session/server-settings.js';
import { AllowList } from '../trust/allow-list.js';
import {
  DEFAULT_HOST,
  DEFAULT_PORT,
  isLoopback,
  type Log,
  type LogFacts,
  openAddress,
  type ServeOptions,
} from './options.js';
import { PortSet } from './ports.js';
import { sessionLog } from './session-log.js';
import { VERSION } from './version.js';
import { activityOf, warmUp } from './warm-up.js';

/** A server that is serving. */
export interface RunningServer {
  readonly source: Source;
  readonly host: string;
  /** The port that speaks Trick text and, unless it has its own, HTTP. */
  readonly port: number;
  readonly httpPort: number | undefined;
  readonly udpPort: number | undefined;
  /** Resolves when the simulation has ended, with the reason. */
  readonly ended: Promise<string>;
  close(): Promise<void>;
}

/**
 * Serves a source. Rejects with one sentence when a port is taken or the options leave the server open to anybody.
 * @param isWarmedUp spends half a second of processor time so that the first client is served as fast as the tenth.
 */
export async function serveSource(
  source: Source,
  options: ServeOptions = {},
  isWarmedUp = false,
): Promise<RunningServer> {
  const server = new Server(source, options);
  try {
    await server.open();
    if (isWarmedUp) void server.warmUp();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

const NOT_ALLOWED = { status: 403, message: 'this address may not connect' } as const;

/** The address of a peer without its port and brackets. */
const addressOf = (peer: string): string => peer.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');

/** 224.0.0.0 to 239.255.255.255 */
const isGroup = (peer: string): boolean => /^2(2[4-9]|3\d)\./.test(peer);

class Server implements RunningServer {
  readonly host: string;
  readonly ended: Promise<string>;
  private readonly registry: SessionRegistry;
  private readonly allowed: AllowList;
  private readonly trick: TrickFrontEnd;
  private readonly http: HttpFrontEnd;
  private readonly ports: PortSet;
  private stopDiscovery: () => Promise<void> = async () => undefined;
  private closing: Promise<void> | undefined;
  private readonly messages: MessagePort;
  private readonly operatorLog: Log;
  private readonly trickServer;

  constructor(
    readonly source: Source,
    private readonly options: ServeOptions,
  ) {
    this.host = options.host ?? DEFAULT_HOST;
    this.operatorLog = options.log ?? (() => undefined);
    this.registry = new SessionRegistry(source, options.clock ?? systemClock, sessionLog(this.operatorLog));
    this.allowed = new AllowList(options.allow);
    this.messages = new MessagePort({ hostname: hostname(), simulation: source.info.name, nowMillis: Date.now });
    this.http = this.createHttpFrontEnd();
    this.ports = new PortSet(options, {
      http: (exchange) => this.handle(exchange),
      webSocket: {
        accept: (request) => (this.allowed.allows(request.peer) ? this.http.accept(request) : NOT_ALLOWED),
        open: (peer) => this.http.open(peer),
      },
      trick: (connection) => this.trick.accept(connection),
      messages: (connection) => this.acceptReader(connection),
      admitsDatagram: (peer) => this.admitsTrick(peer),
      onFault: (sentence, err) => this.log('error', sentence, { err }),
    });
    this.trickServer = this.createTrickServer();
    this.trick = this.createTrickFrontEnd(this.registry, this.trickServer);
    this.ended = new Promise((resolve) => source.onEnd(resolve));
    source.onMessage((message) => this.say(message));
  }

  get port(): number {
    return this.ports.mainPort;
  }
  get httpPort(): number | undefined {
    return this.ports.httpPort;
  }
  get udpPort(): number | undefined {
    return this.ports.udpPort;
  }

  async open(): Promise<void> {
    this.requireTrust();
    const { port, inputFile, discovery = true } = this.options;
    if (inputFile !== undefined) await this.runInput(inputFile);
    // Loads while the ports open: they are there before it is.
    void this.http.prepare();
    await this.ports.open(port ?? this.trickServer.chosenPort ?? DEFAULT_PORT);
    this.trickServer.port = this.port;
    this.tellMessagePort();
    if (discovery) await this.announce();
    if (inputFile !== undefined) this.startSimulation();
    this.source.onEnd(() => void this.close());
  }

  private async runInput(inputFile: string): Promise<void> {
    const input = new InputFile(inputFile);
    await this.trick.runInput(input).catch((error: Error) => {
      throw new Error(`${inputFile} ends with an error:\n${error.message}`, { cause: error });
    });
  }

  /** Its first frame comes when clients can connect; an input file may have ended it before. */
  private startSimulation(): void {
    this.source.submit({ kind: 'start' }).catch((error: Error) => this.log('informational', error.message));
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    await this.stopDiscovery();
    this.http.close();
    await this.ports.close();
    await this.source.close();
  }

  /** To the operator's log and to whoever reads the message port. */
  private say(message: SimMessage, facts: LogFacts = {}): void {
    const { level, text, timeSeconds } = message;
    this.operatorLog(level, text, { simSeconds: timeSeconds, ...facts });
    this.messages.say(message);
  }

  private log(level: SimMessage['level'], text: string, facts?: LogFacts): void {
    this.say({ level, text, timeSeconds: this.source.frame.timeSeconds }, facts);
  }

  /** Trick's Sim Control looks the port up among the variables, which are the simulation's. */
  private tellMessagePort(): void {
    const { messagePort: port } = this.ports;
    if (port === undefined) return;
    this.source
      .submit({ kind: 'message-port', hostname: hostname(), port })
      .catch((error: Error) => this.log('warning', `the message port is not announced: ${error.message}`));
  }

  private acceptReader(connection: Connection): void {
    if (this.admitsTrick(connection.peer)) this.messages.accept(connection);
    else connection.destroy();
  }

  /** Trick's protocols carry no token: from other machines only an allow list lets anybody in. */
  private admitsTrick(peer: string): boolean {
    return this.allowed.allows(peer) && (this.options.allow?.length ? true : isLoopback(addressOf(peer)));
  }

  private requireTrust(): void {
    const { tokens, allow } = this.options;
    const open = openAddress(this.options);
    if (open === undefined || tokens?.size || allow?.length) return;
    throw new Error(
      `${open} can be reached from other machines: name who may connect with --allow, or give tokens with --token-file`,
    );
  }

  private createHttpFrontEnd(): HttpFrontEnd {
    const { tokens, hostNames, corsOrigins, requestsPerSecond } = this.options;
    return httpFrontEnd({
      registry: this.registry,
      version: VERSION,
      trickPort: () => this.port,
      isLoopback: isLoopback(this.host),
      ...(hostNames ? { hosts: hostNames } : {}),
      ...(corsOrigins ? { corsOrigins } : {}),
      ...(tokens ? { tokens } : {}),
      ...(requestsPerSecond ? { requestsPerSecond } : {}),
      log: this.operatorLog,
    });
  }

  private async handle(exchange: Parameters<HttpFrontEnd['handle']>[0]): Promise<void> {
    if (this.allowed.allows(exchange.peer)) await this.http.handle(exchange);
    else {
      const { status, message } = NOT_ALLOWED;
      this.operatorLog('informational', `${exchange.peer} was refused: ${message}`, { peer: exchange.peer, status });
      exchange.respond(status, { 'content-type': 'text/plain; charset=utf-8' }, `${message}\n`);
    }
  }

  private createTrickServer() {
    return {
      hostname: hostname(),
      port: 0,
      chosenPort: undefined as number | undefined,
      userTag: '',
      isEnabled: true,
      isLogging: false,
      ports: this.ports,
      allowed: this.allowed,
      log: (text: string, level: SimMessage['level'] = 'informational') => this.log(level, text),
    };
  }

  async warmUp(): Promise<void> {
    await this.http.prepare();
    const acceptFrom = (source: Source) => {
      const server = Object.assign(this.createTrickServer(), { log: () => undefined });
      const frontEnd = this.createTrickFrontEnd(new SessionRegistry(source), server);
      return (connection: Connection) => frontEnd.accept(connection);
    };
    const isOver = () => this.closing !== undefined;
    await warmUp(this.source, acceptFrom, { isOver, isBusy: activityOf(this.registry) }).catch((error: Error) =>
      this.log('informational', `the first clients may be served slowly: ${error.message}`),
    );
  }

  private createTrickFrontEnd(registry: SessionRegistry, server: GivenServer): TrickFrontEnd {
    const files = new SendDirectory(this.options.sendDirectory);
    return new TrickFrontEnd({
      registry,
      server,
      readFile: (name) => files.read(name),
      // A multicast session's peer is its group; who sends to it is looked at with each datagram.
      isAllowed: (peer) => isGroup(peer) || this.admitsTrick(peer),
    });
  }

  private async announce(): Promise<void> {
    const senders = await this.openSenders();
    const announcedName = await this.reachableName();
    const { directory, file, inputFile = file } = this.source.info;
    const stop = this.registry.timetable.every(DISCOVERY_SECONDS, () => {
      const message = discoveryMessage({
        server: { ...this.trickServer, hostname: announcedName },
        user: userInfo().username,
        processId: process.pid,
        directory,
        program: 'varwire',
        inputFile,
        mode: this.source.frame.header.mode,
      });
      for (const sender of senders) for (const group of DISCOVERY_GROUPS) sender.send(group, DISCOVERY_PORT, message);
    });
    this.stopDiscovery = async () => {
      stop();
      await Promise.all(senders.map((sender) => sender.close()));
    };
  }

  /** What may be heard on this machine alone goes out where clients join groups by default, and on loopback. */
  private async openSenders(): Promise<MulticastSender[]> {
    const local = [{ ttl: 0 }, { ttl: 0, interface: '127.0.0.1' }];
    const opened = (isLoopback(this.host) ? local : [{}]).map((reach) =>
      multicastSender(reach).catch((error: Error) => {
        this.log('warning', `the simulation is not announced everywhere: ${error.message}`);
        return undefined;
      }),
    );
    return (await Promise.all(opened)).filter((sender) => sender !== undefined);
  }

  /** The name that clients connect to: the host's own, unless that leads to an address which is not served. */
  private async reachableName(): Promise<string> {
    if (!isLoopback(this.host)) return hostname();
    const { address } = await lookup(hostname(), 4).catch(() => ({ address: '' }));
    return address === this.host ? hostname() : 'localhost';
  }
}
