// Builds a server from a source, its sessions, its front-ends and their ports.

import { Mode } from '../../model/frame/header.js';
import type { TrickFrontEnd } from '../../protocols/trick/front-end/front-end.js';
import { systemClock } from '../../serving/scheduling/clock.js';
import { splitUnits } from '../../serving/session/own-units.js';
import { type CountedBound, SessionRegistry } from '../../serving/session/registry.js';
import type { Connection } from '../../serving/transport/connection.js';
import { ConnectionLimits } from '../../serving/transport/connection-limits.js';
import { door } from '../../serving/transport/door.js';
import type { Endpoint, FrontEnd } from '../../serving/transport/front-end.js';
import { HeldBack } from '../../serving/transport/held-back.js';
import type { Mounted } from '../../serving/transport/mounted.js';
import { loadWs } from '../../serving/transport/websocket.js';
import type { Every } from '../../serving/transport/websocket-connection.js';
import { Trust } from '../../serving/trust/trust.js';
import { InputFile } from '../../simulation/files/input-file.js';
import type { Source } from '../../source/source.js';
import { boundsOf } from './bounds.js';
import { createFrontEnds, type ServerParts } from './front-ends.js';
import { type AnyVariables, type InProcess, InProcessSession } from './in-process.js';
import { runInputFile } from './input-run.js';
import { warmUpJson } from './json-warm-up.js';
import {
  DEFAULT_HOST,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_MAX_CONNECTIONS_PER_ADDRESS,
  DEFAULT_PORT,
  type SourceOptions,
} from './options.js';
import { PortSet } from './port-set.js';
import { exampleVariable, type RunningEndpoint } from './running-endpoint.js';
import { ServedProgram } from './served-program.js';
import { ServerLog } from './server-log.js';
import { sessionLog } from './session-log.js';
import { ALONE, aloneOf, placesOf, type SimulationPlace } from './side-by-side.js';
import { trickNotice } from './trick-notice.js';
import { activityOf, warmUp } from './warm-up.js';

type Language = typeof import('./trick.js');

/** A server that is serving. `V` maps the paths of variables to the types of their values, if the program knows them. */
export interface RunningServer<V extends object = AnyVariables> extends InProcess<V> {
  readonly source: Source;
  /** The main address. */
  readonly host: string;
  /** The main port, of Trick text and HTTP as a rule; 0 when nothing is spoken there. */
  readonly port: number;
  /** All open endpoints, including those that clients have opened. */
  readonly endpoints: readonly RunningEndpoint[];
  /** Resolves when the simulation has ended, with the reason. */
  readonly ended: Promise<string>;
  /**
   * Handlers with which another program's HTTP server answers what comes below a path: JSON-RPC, server-sent events,
   * WebSocket and the page. Throws a RangeError for a path that does not look like `/sim`.
   */
  mount(path: string): Mounted;
  close(): Promise<void>;
}

/**
 * Serves a source. Rejects with one sentence when a port is taken or the options leave the server open to anybody.
 * @param isWarmedUp uses 0.4 s of processor time so that the first client is served as fast as the tenth; not with
 * VARWIRE_WARM_UP=off in the environment.
 */
export async function startServer(
  source: Source,
  options: SourceOptions = {},
  isWarmedUp = false,
): Promise<RunningServer> {
  const server = new Server(source, options, await languageOf(source, options));
  try {
    await server.open();
    if (isWarmedUp && process.env.VARWIRE_WARM_UP !== 'off') void server.warmUp();
  } catch (error) {
    await server.close();
    throw error;
  }
  return server;
}

/** What makes Trick's front-end; undefined where no client, no input file and no event of the simulation needs its language. */
async function languageOf({ catalog }: Source, options: SourceOptions): Promise<Language | undefined> {
  const { trick, inputFile, www, jsonvs } = options;
  const isUnneeded = trick === 'off' && [inputFile, www, jsonvs].every((option) => option === undefined);
  return isUnneeded && catalog.events.length === 0 ? undefined : import('./trick.js');
}

class Server extends ServedProgram implements RunningServer {
  readonly host: string;
  readonly ended: Promise<string>;
  private readonly log: ServerLog;
  private readonly registry: SessionRegistry;
  private readonly leave: () => void;
  private readonly trust: Trust;
  private readonly heldBack: HeldBack;
  private readonly limits: ConnectionLimits;
  private readonly ports: PortSet;
  private readonly parts: ServerParts;
  private readonly trick: TrickFrontEnd | undefined;
  private readonly frontEnds: readonly FrontEnd[];
  protected readonly program: InProcessSession;
  private closing: Promise<void> | undefined;
  private readonly over = new AbortController();
  /** Of each of the simulations that are shown side by side. */
  private readonly alone: Server[] = [];

  /** @param within the server below whose main address it answers; it opens no port of its own then. */
  constructor(
    readonly source: Source,
    private readonly options: SourceOptions,
    private readonly language: Language | undefined,
    private readonly within?: { readonly server: Server; readonly simulations: () => readonly SimulationPlace[] },
  ) {
    super();
    const { host = DEFAULT_HOST, clock = systemClock, log: operatorLog = () => undefined } = options;
    this.host = host;
    this.log = new ServerLog(source, operatorLog, within !== undefined);
    this.heldBack = new HeldBack((sentence) => operatorLog('warning', sentence));
    const listener = { ...sessionLog(operatorLog), metBound: (bound: CountedBound) => this.heldBack.note(bound) };
    this.registry = new SessionRegistry(source, clock, listener, boundsOf(options));
    this.leave = door.leadsTo(this.registry.turns);
    if (options.log?.backlog) this.registry.ledger.show('logBytes', options.log.backlog);
    this.trust = within?.server.trust ?? new Trust(options, host, clock);
    this.limits = new ConnectionLimits({
      mostByAddress: options.maxConnectionsPerAddress ?? DEFAULT_MAX_CONNECTIONS_PER_ADDRESS,
      heldBack: this.heldBack,
    });
    this.ports = this.createPorts();
    this.parts = {
      registry: this.registry,
      clock,
      log: operatorLog,
      trust: this.trust,
      options,
      serverLog: this.log,
      connections: () => ({ open: this.limits.open, heldBack: this.heldBack.counts, refusals: this.heldBack.refusals }),
      openEndpoint: (endpoint) => this.ports.add(endpoint),
      simulations: within?.simulations ?? (() => placesOf(source)),
    };
    this.trick = language?.createTrick(this.parts);
    this.frontEnds = createFrontEnds(this.parts, this.trick);
    this.program = new InProcessSession(this.registry);
    this.ended = new Promise((resolve) => source.onEnd(resolve));
  }

  mount(path: string): Mounted {
    return this.ports.mount(path);
  }

  get port(): number {
    return this.ports.mainPort;
  }
  get endpoints(): readonly RunningEndpoint[] {
    return this.ports.endpoints;
  }

  async open(): Promise<void> {
    const { port, inputFile, inputDirectories, references = [], set = {} } = this.options;
    if (references.length > 0) {
      const { openReferences } = await import('../../source/recording/references.js');
      this.source.references = await openReferences(references);
      const own = this.source.references.runs.find(({ object }) => this.source.catalog.hasName(object));
      if (own) throw new Error(`${own.label} would be ${own.object}, which the simulation has itself`);
    }
    const endpoints = this.frontEnds
      .flatMap((frontEnd) => frontEnd.endpoints())
      .filter((endpoint) => this.isOpened(endpoint));
    this.trust.require(this.hostsOf(endpoints));
    const tell = (sentence: string): void => this.log.say('normal', sentence);
    const input = inputFile === undefined ? undefined : new InputFile(inputFile, inputDirectories, tell);
    const chosenPort = input && this.trick && (await runInputFile(this.trick, input));
    for (const [name, value] of Object.entries(set)) {
      const { path, units } = splitUnits(name);
      await this.program.set(path, value, units);
    }
    // Loads while the ports open: they are open before it is done.
    void this.prepare();
    await this.ports.open(endpoints, port ?? chosenPort ?? DEFAULT_PORT);
    const notice = this.within ? undefined : trickNotice({ ...this.options, host: this.host });
    if (notice !== undefined) this.log.say('warning', notice);
    await this.openAlone();
    for (const frontEnd of this.frontEnds) await frontEnd.started?.();
    if (this.source.frame.header.mode === Mode.initialization) this.start();
    this.source.onEnd((reason, exitCode) => {
      if (exitCode === 0) this.log.say('informational', `the simulation has ended: ${reason}`);
      else this.log.say('error', `the simulation has ended with code ${exitCode}: ${reason}`, { exitCode });
      void this.close();
    });
  }

  private isOpened({ kind, at }: Endpoint): boolean {
    return !this.within || (kind === 'http' && at === 'main');
  }

  /** Each of the simulations that are shown side by side is served alone too, by HTTP. */
  private async openAlone(): Promise<void> {
    this.source.onJoin?.((name, source) => {
      this.openOne(name, source).catch((error: Error) => this.log.say('error', `${name}: ${error.message}`));
    });
    for (const [name, source] of [...(this.source.alone ?? [])]) await this.openOne(name, source);
  }

  private async openOne(name: string, source: Source): Promise<void> {
    if (this.over.signal.aborted) return;
    const within = { server: this, simulations: () => placesOf(this.source, name) };
    const server = new Server(source, aloneOf(this.options), this.language, within);
    this.alone.push(server);
    await server.open();
    this.ports.leave(`/${ALONE}/${name}`, server.ports);
  }

  /** Starts a simulation that has waited for its server, unless its input file has ended it. */
  private start(): void {
    const start = { kind: 'control', control: { action: 'start' } } as const;
    this.source.submit(start).catch((error: Error) => this.log.say('informational', error.message));
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll();
    return this.closing;
  }

  private async closeAll(): Promise<void> {
    this.over.abort();
    // The simulation's end takes its time while clients get theirs.
    const closed = this.source.close();
    await Promise.all(this.alone.map((server) => server.close()));
    this.source.references?.recorded.close();
    for (const frontEnd of this.frontEnds) await frontEnd.close();
    await this.ports.close();
    this.program.close();
    this.registry.close();
    this.leave();
    await closed;
    // Only an input file has recordings that become .h5 files.
    if (this.options.inputFile === undefined) return;
    const { finishHdf5 } = await import('../../source/recording/hdf5-recordings.js');
    await finishHdf5(this.source.info.runDirectory, (sentence) => this.log.say('warning', sentence));
  }

  private hostsOf(endpoints: readonly Endpoint[]): readonly string[] {
    return [this.host, ...endpoints.flatMap(({ at }) => (at === 'main' ? [] : [at.host]))];
  }

  private async prepare(): Promise<void> {
    await Promise.all(this.frontEnds.map((frontEnd) => frontEnd.prepare?.()));
  }

  private createPorts(): PortSet {
    const { tls, http, maxConnections = DEFAULT_MAX_CONNECTIONS, tokens } = this.options;
    const { host, trust, log, source, limits, heldBack, registry } = this;
    const every: Every = (seconds, call) => registry.timetable.every(seconds, call, seconds);
    const facts = { isTls: tls !== undefined, hasTokens: (tokens?.size ?? 0) > 0 };
    const examples = () => ({ ...facts, variable: exampleVariable(source) });
    return new PortSet({ host, tls, http, maxConnections, limits, heldBack, every, trust, log, examples });
  }

  private acceptFrom({ createTrick }: Language): (source: Source) => (connection: Connection) => void {
    const { options, trust, openEndpoint } = this.parts;
    return (source) => createTrick({ registry: new SessionRegistry(source), options, trust, openEndpoint }).accept;
  }

  async warmUp(): Promise<void> {
    await this.prepare();
    const facts = { over: this.over.signal, isBusy: activityOf(this.registry) };
    try {
      if (this.language) await warmUp(this.source, this.acceptFrom(this.language), facts);
      if (!this.frontEnds.some(({ name }) => name === 'http')) return;
      // The first upgrade would make everybody wait 25 ms.
      loadWs();
      await warmUpJson(this.source, facts);
    } catch (error) {
      this.log.say('informational', `the first clients may be served slowly: ${(error as Error).message}`);
    }
  }
}
