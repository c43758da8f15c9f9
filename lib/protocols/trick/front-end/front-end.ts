// The Trick front-end: connections become sessions, bytes become blocks.
import { Mode } from '../../../model/frame/header.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { Session } from '../../../serving/session/session.js';
import { SparseLog } from '../../../serving/session/sparse-log.js';
import type { Address } from '../../../serving/transport/address.js';
import type { Connection } from '../../../serving/transport/connection.js';
import type {
  AddressTrust,
  DatagramEndpoint,
  Endpoint,
  FrontEnd,
  MulticastEndpoint,
  StreamEndpoint,
} from '../../../serving/transport/front-end.js';
import { type EventServer, EventTable } from '../events/event-table.js';
import { ModelEvents } from '../events/model-events.js';
import { ShownElsewhere } from '../events/shown-elsewhere.js';
import { BlockRunner, LONG_BLOCK } from '../script/block-runner.js';
import { Console } from '../script/console.js';
import { EventLoop } from '../script/event-loop.js';
import { Flow } from '../script/flow.js';
import { type InputText, runInput } from '../script/input.js';
import { Reads } from '../script/reads.js';
import { Scripts } from '../script/scripts.js';
import type { ServerScript } from '../script/server-script.js';
import type { ServerSurroundings } from '../session/server-settings.js';
import { logAs, SessionLog } from '../session/session-log.js';
import type { TrickSessionSettings } from '../session/session-settings.js';
import { Suggestions } from '../session/suggestions.js';
import { TrickSession } from '../session/trick-session.js';
import { BlockSplitter, blockText } from '../wire/block-splitter.js';
import { ReferenceTable } from '../wire/reference.js';
import { TRICK_PORTS, trickExamples, udpExamples } from './ports.js';
import { ServerState } from './server-state.js';

/** Where Trick text is spoken besides the main port. */
export interface TrickPlaces {
  /** The host of the local address that joins multicast groups. */
  readonly host: string;
  readonly udp: Address | 'main' | 'off';
  readonly tcp: readonly Address[];
  readonly multicast: readonly { readonly group: string; readonly port: number }[];
  /** Who may connect to these places. Default: by address. */
  readonly trust?: AddressTrust;
}

export interface TrickFrontEndSettings {
  readonly registry: SessionRegistry;
  readonly server: ServerSurroundings;
  /** Reads a file that clients may have, in pieces. */
  readonly readFile: TrickSessionSettings['readFile'];
  /** Default: the main port alone. `off`: nowhere; only an input file speaks the language. */
  readonly places?: TrickPlaces | 'off';
}

/** Answers are counted when more than this waits; less is on its way already. */
const COUNTED_BYTES = 64 * 1024;

/** How long a closing server waits for the events and reads of its input file. */
const PATIENCE_MILLIS = 500;

export class TrickFrontEnd implements FrontEnd {
  readonly name = 'trick';
  /** The state that commands change and discovery shows. */
  readonly server: ServerState;
  private readonly references: ReferenceTable;
  private readonly open = new Set<TrickSession>();
  private readonly reads: Reads;
  private readonly loop: EventLoop;
  private readonly suggestions: Suggestions;
  private isFollowing = false;
  private readonly scripts: Scripts;
  private readonly modelEvents: ModelEvents;
  private readonly elsewhere: ShownElsewhere | undefined;
  private readonly refusals: SparseLog;

  constructor(private readonly settings: TrickFrontEndSettings) {
    this.references = new ReferenceTable(settings.registry.source);
    const events = new EventTable(this.eventServer());
    const addRead: ServerState['addRead'] = (...read) => this.reads.add(...read);
    const firing: ServerState['firing'] = {
      elsewhere: (...asked) => this.loop.elsewhere(...asked),
      later: (event) => this.loop.later(event),
      here: (...asked) => this.loop.here(...asked),
    };
    const { registry } = settings;
    const shown = () => this.script.settled();
    if (registry.source.events) this.elsewhere = new ShownElsewhere(registry.source, events, registry.clock, shown);
    const { open, elsewhere } = this;
    this.server = new ServerState(settings.server, { open, events, firing, elsewhere, addRead });
    const { references, server } = this;
    this.refusals = new SparseLog(registry.clock, (level, text) => server.log(text, level));
    const { turns, source } = registry;
    this.suggestions = new Suggestions(source, registry.clock);
    this.modelEvents = new ModelEvents(source, events);
    const { explain } = this.suggestions;
    this.scripts = new Scripts({ registry, references, server, turns, explain }, (owner) => events.hasEventsOf(owner));
    this.reads = new Reads(source, this.scripts, events, () => this.follow());
    this.loop = new EventLoop(events, this.scripts, source);
  }

  get sessions(): ReadonlySet<TrickSession> {
    return this.open;
  }

  endpoints(): readonly Endpoint[] {
    const { places } = this.settings;
    if (places === 'off') return [];
    const { udp, tcp, multicast, host } = places ?? { udp: 'off', tcp: [], multicast: [], host: '' };
    return [
      this.main(),
      ...(udp === 'off' ? [] : [this.udp(udp)]),
      ...tcp.map((at) => this.tcp(at)),
      ...multicast.map(({ group, port }) => this.multicast(group, { host, port })),
    ];
  }

  private get trust(): AddressTrust {
    const { places } = this.settings;
    return (places !== 'off' && places?.trust) || 'address';
  }

  /** One more TCP port of this protocol. */
  tcp(at: Address): StreamEndpoint {
    const { name, speaks } = TRICK_PORTS.tcp;
    return { name, speaks, kind: 'stream', trust: this.trust, at, accept: this.accept };
  }

  /** One more UDP session. */
  udp(at: Address | 'main'): DatagramEndpoint {
    const { name, speaks } = TRICK_PORTS.udp;
    return { name, speaks, kind: 'datagram', trust: this.trust, at, accept: this.accept, examples: udpExamples };
  }

  /** One more multicast session. @param owner the address of the client whose it is; the operator's have none. */
  multicast(group: string, at: Address, owner?: string): MulticastEndpoint {
    const { name, speaks } = TRICK_PORTS.multicast;
    const accept = (connection: Connection): void => this.accept(connection, owner);
    return { name, speaks, kind: 'multicast', trust: this.trust, group, at, accept };
  }

  /** Makes the simulation's events, which the input file may have met already, and lists those of one elsewhere. */
  async prepare(): Promise<void> {
    this.modelEvents.make();
    this.loop.settle();
    await this.elsewhere?.begin();
  }

  /** Completes what the input file's events and reads have begun. Connections end with their ports. */
  async close(): Promise<void> {
    this.elsewhere?.close();
    let patience: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      patience = setTimeout(resolve, PATIENCE_MILLIS);
    });
    await Promise.race([this.scripts.settled, late]);
    clearTimeout(patience);
  }

  /** A session for a client of another protocol; close it when the client goes. */
  openConsole(client: Session): Console {
    const { registry, readFile } = this.settings;
    return new Console(
      { registry, references: this.references, server: this.server, readFile, explain: this.suggestions.explain },
      client,
    );
  }

  /** The server's own session, made when it is first needed. */
  get script(): ServerScript {
    return this.scripts.of('');
  }

  /** What the events need of this server. */
  private eventServer(): EventServer {
    const { registry, server } = this.settings;
    const { source } = registry;
    return {
      follow: () => this.follow(),
      canWait: () => source.abilities.control,
      // The variables of an edge are those of the simulation's own server.
      areShown: () => source.frameIds === undefined,
      changed: () => this.loop.settle(),
      accountOf: (owner) => (owner === '' ? undefined : this.scripts.of(owner).session.client.account),
      say: new SessionLog(registry, (text, level) => server.log(text, level)).say,
      isVariable: (path) => source.catalog.find(path) !== undefined,
      timeTics: () => (source.frame.header.mode === Mode.initialization ? -1 : source.frame.header.timeTics),
    };
  }

  /** Runs an input file and returns the main port that it has chosen. Rejects with a BlockFailure when it fails. */
  async runInput(input: InputText): Promise<number | undefined> {
    this.modelEvents.make();
    await runInput(this.script, input);
    this.server.study.requireNone();
    this.scripts.operatorsRan();
    return this.server.chosenPort;
  }

  /** Takes a connection for as long as it lasts. @param owner the address that shares in it, if not the peer's. */
  readonly accept = (connection: Connection, owner?: string): void => {
    const { server } = this;
    const { registry, readFile } = this.settings;
    if (!server.isEnabled) {
      this.refusals.say('warning', `${connection.peer} was refused`);
      connection.destroy();
      return;
    }
    const facts = { frontEnd: 'trick', peer: connection.peer, transport: connection.kind, ...(owner && { owner }) };
    const client = registry.create(facts, connection);
    const who = (): string => `${client.tag || 'client'} ${connection.peer}`;
    const { say: log, printed, publish } = new SessionLog(registry, logAs(server, who), client.account.network);
    const isDatagram = connection.kind === 'udp' || connection.kind === 'multicast';
    const close = () => connection.end();
    const trickSession = new TrickSession({
      client,
      registry,
      references: this.references,
      isDatagram,
      readFile,
      log,
      printed,
      publish,
      explain: this.suggestions.explain,
      close,
    });
    this.open.add(trickSession);
    log('connected');
    this.listen(connection, trickSession, isDatagram, log);
  };

  private main(): StreamEndpoint {
    const { name, speaks } = TRICK_PORTS.trick;
    const opened = ({ port }: Address): void => {
      this.server.port = port;
    };
    return {
      name,
      speaks,
      kind: 'stream',
      trust: this.trust,
      at: 'main',
      accept: this.accept,
      opened,
      examples: trickExamples,
    };
  }

  /** Starts to follow frames at the first event of a client, so that a server without any is not woken by frames. */
  private follow(): void {
    if (this.isFollowing) return;
    this.isFollowing = true;
    this.settings.registry.source.onFrame((frame) => {
      this.reads.take(frame);
      this.loop.take(frame);
    });
  }

  /** Answers, and long messages, that wait count in the client's account; a client that takes none of them is disconnected. */
  private countUnread(connection: Connection, { client }: TrickSession, log: SessionLog['say']): void {
    client.letGo = (sentence) => {
      log(`was let go: ${sentence}`, 'warning');
      connection.destroy();
    };
    client.outbound.replied = (bytes) => {
      if (connection.pendingBytes <= COUNTED_BYTES) return;
      try {
        client.account.take('unreadBytes', bytes);
        client.outbound.count(bytes);
      } catch (error) {
        client.letGo((error as Error).message);
      }
    };
  }

  private listen(connection: Connection, session: TrickSession, isDatagram: boolean, log: SessionLog['say']): void {
    const { turns, clock } = this.settings.registry;
    const flow = new Flow(session, turns, clock, {
      pauseReading: () => connection.pauseReading(),
      resumeReading: () => connection.resumeReading(),
      end: () => connection.end(),
      readsAhead: !isDatagram,
      take: (bytes) => (isDatagram ? splitter.pushWhole(bytes) : splitter.push(bytes)),
    });
    const runner = new BlockRunner({ session, server: this.server, flow, nowMillis: () => performance.now() });
    this.countUnread(connection, session, log);
    const isLogging = (): boolean => session.isLogging || this.server.isLogging;
    const asks = (block: string): void => log(`asks ${JSON.stringify(block)}`);
    const splitter = new BlockSplitter({
      block: (block) => {
        if (isLogging()) asks(block);
        runner.push(block);
      },
      tooLong: (bytes) => log(`${bytes} bytes without a newline were dropped`, 'warning'),
      notText: (sentence) => runner.pushFailure(sentence),
      long: {
        aboveBytes: LONG_BLOCK,
        take: (bytes) => {
          if (isLogging()) asks(blockText(bytes));
          runner.pushLong(bytes);
        },
      },
    });
    connection.listen({
      data: (chunk) => flow.received(chunk),
      drain: () => flow.drained(),
      ended: () => flow.peerEnded(),
      close: () => {
        session.closed();
        flow.closed();
        runner.closed();
        this.open.delete(session);
      },
    });
  }
}
