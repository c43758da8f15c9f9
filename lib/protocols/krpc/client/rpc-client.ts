// One client on the RPC port: its requests in order, one after the other, each answered by one message.
import { Reason } from '../../../model/frame/header.js';
import type { SharedRoom } from '../../../serving/network/shared-room.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import { Held } from '../../../serving/scheduling/held.js';
import type { Outbound } from '../../../serving/session/outbound.js';
import { Read } from '../../../serving/session/read.js';
import type { SessionRegistry } from '../../../serving/session/registry.js';
import type { Session } from '../../../serving/session/session.js';
import type { Connection } from '../../../serving/transport/connection.js';
import { FrameSplitter, FramingError, framed, frameHead } from '../schema/frame-splitter.js';
import type { KrpcServerFacts } from '../service/procedure.js';
import { answerBytes, type CallAnswer, type KrpcClient, refusal } from './answer.js';
import { KnownObjects } from './known-objects.js';
import { type StreamParts, Streams } from './streams.js';

/** Most bytes of a request, over TCP and WebSocket. */
export const MOST_REQUEST_BYTES = 1_048_576;
/** While a request is worked on, no more bytes than this are read ahead. */
const MOST_AHEAD_BYTES = 65_536;
/** A request that is worked on lies in memory so many times: its bytes, its arguments and what is made of them. */
const COPIES = 4;
/** Less than this is not counted: it is no more than what a connection takes. */
const COUNTED_BYTES = 4096;
/** Requests that are shorter, and have not come whole, cost no more than a connection does. */
const LARGE_BYTES = 65_536;
/** One for all, because making an error takes a tenth of a millisecond. */
const GONE = new Error('the client has gone');

/** What all clients share. */
export interface ClientParts {
  readonly registry: SessionRegistry;
  readonly server: KrpcServerFacts;
  readonly streams: StreamParts;
  /** Bytes of large requests that have not come whole. */
  readonly unfinished: SharedRoom<RpcClient>;
  /** Told with a sentence when such a request is ended. */
  readonly crowdedOut: (sentence: string) => void;
  /** Counts a request for the status. */
  readonly counted: (count: { calls: number; millis: number; readBytes: number; writtenBytes: number }) => void;
}

export interface ClientFacts {
  readonly id: Uint8Array;
  readonly name: string;
  /** Whether it may change the simulation. */
  readonly mayChange: boolean;
  /** Counts a request; false when the client makes too many. */
  mayAsk(): boolean;
  /** Ends a connection that sends what is no request. */
  endMalformed(): void;
}

export class RpcClient implements KrpcClient {
  readonly id: Uint8Array;
  readonly name: string;
  readonly address: string;
  readonly network: string;
  readonly mayChange: boolean;
  readonly streams: Streams;
  readonly objects: KnownObjects;
  readonly server: KrpcServerFacts;
  readonly read: Read;
  private readonly splitter = new FrameSplitter(MOST_REQUEST_BYTES);
  /** Whether messages need their length in front: a WebSocket has messages of its own. */
  private readonly isFramed: boolean;
  /** Whether a request is worked on. */
  private isServing = false;
  private readonly held: Held;
  private readonly atWork: Held;
  /** What is counted for the request that is worked on. */
  private workBytes = 0;
  isClosed = false;
  private streamConnection: Connection | undefined;

  constructor(
    private readonly parts: ClientParts,
    private readonly facts: ClientFacts,
    readonly session: Session,
    private readonly connection: Connection,
  ) {
    const { id, name, mayChange } = facts;
    this.id = id;
    this.name = name;
    this.mayChange = mayChange;
    this.address = connection.peer;
    this.network = session.account.network;
    this.server = parts.server;
    this.isFramed = connection.kind === 'tcp';
    this.held = new Held(session.account);
    this.atWork = new Held(session.account);
    this.objects = new KnownObjects(session.account);
    this.streams = new Streams(parts.streams, this, this.objects);
    this.read = new Read(session, parts.registry);
  }

  /** @param rest bytes that have come behind the handshake. */
  listen(rest: Uint8Array): void {
    this.connection.listen({
      data: (chunk) => this.take(chunk),
      drain: () => {
        this.session.outbound.release();
        this.goOn();
      },
      close: () => this.close(),
    });
    if (rest.length > 0) this.take(rest);
  }

  readonly turn = async (): Promise<void> => {
    await this.parts.registry.turns.turn(this.session.account);
    if (this.isClosed) throw GONE;
  };

  nextTick(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stop = this.parts.registry.source.onFrame(({ header: { reason } }) => {
        if (!this.isClosed && reason !== Reason.tick && reason !== Reason.freeze) return;
        stop();
        if (this.isClosed) reject(GONE);
        else resolve();
      });
    });
  }

  private take(chunk: Uint8Array): void {
    if (this.isClosed) return;
    this.splitter.push(this.isFramed ? chunk : framed(chunk));
    if (this.hold()) this.goOn();
  }

  /** Counts the bytes of requests that wait or are incomplete; false when they are too many, which ends the connection. */
  private hold(): boolean {
    const { heldBytes } = this.splitter;
    try {
      this.held.set('keptBytes', heldBytes);
      this.noteUnfinished(heldBytes);
      return !this.isClosed;
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      // The ledger has logged it.
      this.connection.destroy();
      return false;
    }
  }

  /** Without room, the request of the network with most that was begun first is ended. */
  private noteUnfinished(bytes: number): void {
    const { unfinished, crowdedOut } = this.parts;
    unfinished.set(this, this.network, bytes > LARGE_BYTES ? bytes : 0);
    for (let first = unfinished.nextToGo; first; first = unfinished.nextToGo) {
      unfinished.set(first, first.network, 0);
      first.connection.destroy();
      crowdedOut(
        `${first.address} was let go: unfinished requests took too much memory, its address had most, and its own was begun first`,
      );
    }
  }

  private get mayGoOn(): boolean {
    return this.splitter.hasNext && !this.isClosed && !this.session.outbound.isFull;
  }

  /** Begins the next request if the last one is answered and its answer is taken. */
  private goOn(): void {
    if (this.isClosed) return;
    if (!this.isServing && this.mayGoOn) void this.serve();
    this.regulate();
  }

  /** Who sends far ahead of the request that is worked on is read no further. */
  private regulate(): void {
    if (this.isClosed) return;
    const isFarAhead = this.splitter.heldBytes > MOST_AHEAD_BYTES;
    if ((this.isServing && isFarAhead) || this.session.outbound.isFull) this.connection.pauseReading();
    else this.connection.resumeReading();
  }

  /** Answers one request after the other, each in a turn, as long as its client takes the answers. */
  private async serve(): Promise<void> {
    this.isServing = true;
    try {
      do await this.turn();
      while ((await this.answerNext()) && this.mayGoOn);
    } catch (error) {
      this.failed(error);
    }
    this.isServing = false;
    if (!this.isClosed && this.hold()) this.regulate();
  }

  /** Bytes that hold no message, and a fault of the server, end one client, and no other. */
  private failed(error: unknown): void {
    if (error instanceof FramingError) {
      if (error.isTooLong) this.parts.registry.metBound('message_bytes');
      this.facts.endMalformed();
      return;
    }
    if (!this.isClosed) this.parts.streams.onFault(error);
    this.connection.destroy();
  }

  /** Answers the next request; false when there is none, and when the client has gone or is ended. */
  private async answerNext(): Promise<boolean> {
    const message = this.splitter.next();
    if (!message) return false;
    this.regulate();
    const { clock } = this.parts.registry;
    const startMillis = clock.nowMillis();
    const answer = await this.answered(message);
    if (this.isClosed) return false;
    if (!answer) {
      this.facts.endMalformed();
      return false;
    }
    this.workBytes = 0;
    this.atWork.release();
    const writtenBytes = this.reply(answer);
    const millis = clock.nowMillis() - startMillis;
    this.parts.counted({ calls: answer.calls, millis, readBytes: message.length, writtenBytes });
    return true;
  }

  private async answered(message: Uint8Array): Promise<CallAnswer | undefined> {
    try {
      this.keep(COPIES * message.length);
    } catch (error) {
      return refusal((error as Error).message, this.parts.streams);
    }
    return answerBytes(this, message, this.parts.streams);
  }

  /** Counts bytes of the request that is worked on, until it is answered. Throws an OverBoundError. */
  keep(bytes: number): void {
    const now = this.workBytes + bytes;
    if (now >= COUNTED_BYTES) this.atWork.set('keptBytes', now);
    this.workBytes = now;
  }

  /** Whether this request of the client is too many in a second. */
  get isTooFast(): boolean {
    return !this.facts.mayAsk();
  }

  /** Returns how many bytes were sent. */
  private reply(answer: CallAnswer): number {
    const { account, outbound } = this.session;
    const message = this.messageOf(answer);
    const bytes = bytesOf(message);
    try {
      account.take('unreadBytes', bytes);
      outbound.replyAll(message, 'binary');
      outbound.count(bytes);
    } catch (error) {
      if (!(error instanceof OverBoundError)) throw error;
      outbound.replyAll(this.messageOf(refusal(error.message, this.parts.streams)), 'binary');
    }
    return bytes;
  }

  /** A stream gets the pieces as they are, since a long answer in one piece would take new memory; a WebSocket one message. */
  private messageOf({ pieces }: CallAnswer): readonly Uint8Array[] {
    if (!this.isFramed) return [Buffer.concat(pieces)];
    return pieces.length === 1 ? pieces.map(framed) : [frameHead(bytesOf(pieces)), ...pieces];
  }

  /** Sends the updates of the streams over another connection, in place of the one before. */
  connectStreams(connection: Connection, outbound: Outbound): void {
    this.streamConnection?.end();
    this.streamConnection = connection;
    this.streams.connect(connection, outbound);
  }

  private close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.noteUnfinished(0);
    this.regulate();
    this.read.end();
    this.streams.close();
    this.streamConnection?.end();
    this.closed?.();
    this.session.close();
  }

  /** Called once when the connection has closed. */
  closed: (() => void) | undefined;

  /** Ends the connection. */
  end(): void {
    this.connection.end();
  }
}

const bytesOf = (pieces: readonly Uint8Array[]): number => pieces.reduce((sum, { length }) => sum + length, 0);
