// The Trick front-end: connections become sessions, bytes become blocks.
import type { SessionRegistry } from '../../session/registry.js';
import type { Connection } from '../../transport/connection.js';
import { EventTable } from '../events/event-table.js';
import { BlockRunner } from '../script/block-runner.js';
import { EventLoop } from '../script/event-loop.js';
import { type InputText, runInput } from '../script/input.js';
import { Reads } from '../script/reads.js';
import { ServerScript } from '../script/server-script.js';
import type { GivenServer, TrickServer } from '../session/server-settings.js';
import { SessionLog } from '../session/session-log.js';
import { TrickSession } from '../session/trick-session.js';
import { BlockSplitter } from '../wire/block-splitter.js';
import { ReferenceTable } from '../wire/reference.js';

export interface TrickFrontEndSettings {
  readonly registry: SessionRegistry;
  readonly server: GivenServer;
  /** Bytes of a file that clients may have. */
  readonly readFile: (name: string) => Uint8Array | undefined;
  readonly isAllowed: (peer: string) => boolean;
}

export class TrickFrontEnd {
  private readonly references: ReferenceTable;
  private readonly open = new Set<TrickSession>();
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

  /** The server's own session; there is none before somebody needs it. */
  get script(): ServerScript {
    const { references, server } = this;
    const { turns } = this.settings.registry;
    this.serverScript ??= new ServerScript({ registry: this.settings.registry, references, server, turns });
    return this.serverScript;
  }

  /** Runs an input file to its end. Rejects with a BlockFailure when it does not come to it. */
  runInput(input: InputText): Promise<void> {
    return runInput(this.script, input);
  }

  /** Takes a connection for as long as it lasts. */
  accept(connection: Connection): void {
    const { registry, server, isAllowed, readFile } = this.settings;
    if (!server.isEnabled || !isAllowed(connection.peer)) {
      server.log(`${connection.peer} was refused`, 'warning');
      connection.destroy();
      return;
    }
    const facts = { frontEnd: 'trick', peer: connection.peer, transport: connection.kind };
    const session = registry.create(facts, connection);
    const { say: log } = new SessionLog(registry.clock, (text, level) =>
      server.log(`${session.tag || 'client'} ${connection.peer}: ${text}`, level),
    );
    const isDatagram = connection.kind === 'udp' || connection.kind === 'multicast';
    const close = () => connection.end();
    const trickSession = new TrickSession({
      session,
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

  /** Frames are followed from the first event or read on: a server without them is woken by none. */
  private follow(): void {
    if (this.isFollowing) return;
    this.isFollowing = true;
    this.settings.registry.source.onFrame((frame) => {
      this.reads.take(frame);
      this.loop.take(frame);
    });
  }

  private listen(connection: Connection, session: TrickSession, isDatagram: boolean, log: SessionLog['say']): void {
    let hasEnded = false;
    const runner = new BlockRunner({
      session,
      server: this.server,
      turns: this.settings.registry.turns,
      nowMillis: () => performance.now(),
      idle: () => idle(),
    });
    const splitter = new BlockSplitter(
      (block) => {
        if (session.isLogging || this.server.isLogging) log(`asks ${JSON.stringify(block)}`);
        runner.push(block);
      },
      (bytes) => log(`${bytes} bytes without a newline were dropped`),
    );
    /** Reads on only while this client takes its answers and its earlier blocks have run. */
    const idle = (): void => {
      if (session.session.outbound.isFull) connection.pauseReading();
      else connection.resumeReading();
      // Nothing more can be asked: the connection lives on only for the messages it has asked for.
      if (hasEnded && !session.cadence.isActive) connection.end();
    };
    connection.listen({
      data: (chunk) => {
        if (isDatagram) splitter.pushWhole(chunk);
        else splitter.push(chunk);
        if (runner.isBusy || session.session.outbound.isFull) connection.pauseReading();
      },
      drain: () => {
        session.session.outbound.release();
        runner.taken();
        if (!runner.isBusy) connection.resumeReading();
      },
      ended: () => {
        hasEnded = true;
        if (!runner.isBusy) idle();
      },
      close: () => {
        session.closed();
        runner.taken();
        this.open.delete(session);
      },
    });
  }
}
