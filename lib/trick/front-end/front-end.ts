// The Trick front-end: connections become sessions, bytes become blocks.
import type { SessionRegistry } from '../../session/registry.js';
import type { Connection } from '../../transport/connection.js';
import { EventTable } from '../events/event-table.js';
import { BlockRunner } from '../script/block-runner.js';
import { EventLoop } from '../script/event-loop.js';
import { Flow } from '../script/flow.js';
import { type InputText, runInput } from '../script/input.js';
import { Reads } from '../script/reads.js';
import { ServerScript } from '../script/server-script.js';
import { Turns } from '../script/turns.js';
import type { GivenServer, TrickServer } from '../session/server-settings.js';
import { SessionLog } from '../session/session-log.js';
import { TrickSession } from '../session/trick-session.js';
import { BlockSplitter } from '../wire/block-splitter.js';
import { ReferenceTable } from '../wire/reference.js';

export interface TrickFrontEndSettings {
  readonly registry: SessionRegistry;
  readonly server: GivenServer;
  /** Bytes of a file that clients may have; undefined when there is no such file. */
  readonly readFile: (name: string) => Uint8Array | undefined;
  readonly isAllowed: (peer: string) => boolean;
}

export class TrickFrontEnd {
  private readonly references: ReferenceTable;
  private readonly open = new Set<TrickSession>();
  private readonly turns = new Turns();
  private readonly server: TrickServer;
  private readonly reads: Reads;
  private readonly loop: EventLoop;
  private isFollowing = false;
  private serverScript: ServerScript | undefined;

  constructor(private readonly settings: TrickFrontEndSettings) {
    this.references = new ReferenceTable(settings.registry.source);
    const events = new EventTable(() => this.follow());
    this.reads = new Reads(settings.registry.source, () => this.script);
    const addRead: TrickServer['addRead'] = (...read) => {
      this.follow();
      return this.reads.add(...read);
    };
    this.server = Object.assign(settings.server, { sessions: () => this.open, events, addRead });
    this.loop = new EventLoop(events, () => this.script);
  }

  get sessions(): ReadonlySet<TrickSession> {
    return this.open;
  }

  /** The server's own session, made when it is first needed. */
  get script(): ServerScript {
    const { references, server, turns } = this;
    this.serverScript ??= new ServerScript({ registry: this.settings.registry, references, server, turns });
    return this.serverScript;
  }

  /** Runs an input file. Rejects with a BlockFailure when it does not come to its end. */
  runInput(input: InputText): Promise<void> {
    return runInput(this.script, input);
  }

  /** Makes a session of a connection, until that ends. */
  accept(connection: Connection): void {
    const { registry, server, isAllowed, readFile } = this.settings;
    if (!server.isEnabled || !isAllowed(connection.peer)) {
      server.log(`${connection.peer} was refused`, 'warning');
      connection.destroy();
      return;
    }
    const facts = { frontEnd: 'trick', peer: connection.peer, transport: connection.kind };
    const client = registry.create(facts, connection);
    const { say: log } = new SessionLog(registry.clock, (text, level) =>
      server.log(`${client.tag || 'client'} ${connection.peer}: ${text}`, level),
    );
    const isDatagram = connection.kind === 'udp' || connection.kind === 'multicast';
    const close = () => connection.end();
    const trickSession = new TrickSession({
      client,
      registry,
      references: this.references,
      isDatagram,
      readFile,
      log,
      close,
    });
    this.open.add(trickSession);
    log('connected');
    this.listen(connection, trickSession, isDatagram, log);
  }

  /** Starts to follow frames at the first event or read, so that a server without any is not woken by frames. */
  private follow(): void {
    if (this.isFollowing) return;
    this.isFollowing = true;
    this.settings.registry.source.onFrame((frame) => {
      this.reads.take(frame);
      this.loop.take(frame);
    });
  }

  private listen(connection: Connection, session: TrickSession, isDatagram: boolean, log: SessionLog['say']): void {
    const flow = new Flow(session, this.turns, connection);
    const runner = new BlockRunner({ session, server: this.server, flow, nowMillis: () => performance.now() });
    const splitter = new BlockSplitter(
      (block) => {
        if (session.isLogging || this.server.isLogging) log(`asks ${JSON.stringify(block)}`);
        runner.push(block);
      },
      (bytes) => log(`${bytes} bytes without a newline were dropped`),
    );
    connection.listen({
      data: (chunk) => {
        if (isDatagram) splitter.pushWhole(chunk);
        else splitter.push(chunk);
        flow.received();
      },
      drain: () => flow.drained(),
      ended: () => flow.peerEnded(),
      close: () => {
        session.closed();
        flow.closed();
        this.open.delete(session);
      },
    });
  }
}
