// A Connection over one stream socket, plain or TLS.
import type { Socket } from 'node:net';
import { atTurnEnd } from '../network/turn-end.js';
import { formatAddress } from './address.js';
import { closeReason } from './close-reason.js';
import type { Connection, ConnectionEvents } from './connection.js';
import { type DoorPlace, door } from './door.js';
import { WebHello } from './first-bytes.js';

const DEFAULT_LINGER_MILLIS = 5_000;

/** Chunks of more bytes together are not copied into one. */
const MOST_COPIED_BYTES = 16_384;

/** The socket tells of no drain after many writes of a few bytes. */
const MANY_WRITES = 32;

const OF_A_BROWSER = 'it began as a web browser does, with HTTP or TLS, where neither is spoken';
const PEER_CLOSED = 'the peer closed the connection';

/** Told of a connection that was closed at its first bytes, with a sentence for the log. */
export type TurnedAway = (sentence: string) => void;

export class SocketConnection implements Connection {
  readonly kind = 'tcp';
  readonly peer: string;
  readonly local: string;
  private readonly socket: Socket;
  private readonly lingerMillis: number;
  private readonly place: DoorPlace;
  private readonly webHello = new WebHello();
  private events: ConnectionEvents | undefined;
  private paused = false;
  /** Whether bytes wait in the paused socket for their turn. */
  private isWaiting = false;
  private isGathering = false;
  /** Messages of this turn that have not been handed to the socket yet. */
  private written: Uint8Array[] = [];
  private writtenBytes = 0;
  private handedWrites = 0;
  private hasManyWrites = false;
  private ended = false;
  private reason: string | undefined;
  private closed = false;

  /**
   * Takes over `socket`; bytes that it has buffered are delivered first. `lingerMillis` is how long a peer that takes
   * nothing may keep the socket after `end()`. A connection that begins as one of a web browser is closed, and `turnedAway`
   * is called with the reason: a page of any origin can make one, and its lines would run.
   */
  constructor(
    socket: Socket,
    private readonly turnedAway?: TurnedAway,
    lingerMillis = DEFAULT_LINGER_MILLIS,
  ) {
    this.peer = formatAddress(socket.remoteAddress, socket.remotePort);
    this.local = formatAddress(socket.localAddress, socket.localPort);
    this.socket = socket;
    this.lingerMillis = lingerMillis;
    // Paused before the data listener is added, so that nothing flows before `listen`.
    socket.pause();
    this.place = door.placeOf(socket);
    socket.on('data', (first: Buffer) => {
      if (this.ended || this.isGathering) return;
      this.take(this.gathered(first));
    });
    socket.on('drain', () => this.drained());
    socket.on('end', () => this.peerEnded());
    socket.on('error', (error) => {
      this.reason ??= closeReason(error);
    });
    socket.on('close', () => this.close(this.reason ?? 'closed by this side'));
  }

  get pendingBytes(): number {
    return this.socket.writableLength + this.writtenBytes;
  }

  get pendingWrites(): number {
    return this.handedWrites;
  }

  write(message: Uint8Array | string): boolean {
    if (this.ended || this.closed) return false;
    // The socket would count text in characters, but pendingBytes counts bytes.
    const bytes = typeof message === 'string' ? Buffer.from(message) : message;
    this.writtenBytes += bytes.length;
    if (this.written.push(bytes) === 1) atTurnEnd(this);
    return true;
  }

  /**
   * A chunk and all that have come since reading was paused: taken one by one, each would wait for a turn, and a client
   * that is behind would stay behind. Long ones stay as they are, because a copy of them costs more than they do.
   */
  private gathered(chunk: Buffer): readonly Buffer[] {
    if (this.socket.readableLength === 0) return [chunk];
    this.isGathering = true;
    // A socket that flows reads one chunk, and a paused one reads all of them.
    this.socket.pause();
    const rest = this.socket.read() as Buffer | null;
    this.socket.resume();
    this.isGathering = false;
    if (!rest) return [chunk];
    return chunk.length + rest.length > MOST_COPIED_BYTES ? [chunk, rest] : [Buffer.concat([chunk, rest])];
  }

  /** Takes what was gathered, or puts it back until it is this socket's turn. */
  private take(chunks: readonly Buffer[]): void {
    this.place.holds(chunks.reduce((sum, { length }) => sum + length, 0));
    if (!this.isWaiting && this.place.isFree) {
      this.place.begin(() => this.passOn(chunks));
      return;
    }
    this.socket.pause();
    this.putBack(chunks);
    this.wait();
  }

  private wait(): void {
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.place.resume(this.readOn);
  }

  private readonly readOn = (): void => {
    this.isWaiting = false;
    if (this.ended || this.paused || this.socket.destroyed) return;
    this.isGathering = true;
    const bytes = this.socket.read() as Buffer | null;
    this.isGathering = false;
    this.socket.resume();
    if (bytes) this.passOn([bytes]);
  };

  private passOn(chunks: readonly Buffer[]): void {
    this.place.begun();
    for (const [index, chunk] of chunks.entries()) {
      // Whoever takes a chunk may pause reading, or end.
      if (index > 0 && this.ended) return;
      if (index > 0 && this.paused) {
        this.putBack(chunks.slice(index));
        return;
      }
      if (this.webHello.hasCome(chunk)) this.turnAway();
      else this.events?.data(chunk);
    }
  }

  private turnAway(): void {
    this.reason ??= OF_A_BROWSER;
    this.turnedAway?.(`${this.peer} was disconnected: ${OF_A_BROWSER}`);
    this.destroy();
  }

  private putBack(chunks: readonly Buffer[]): void {
    for (const chunk of chunks.toReversed()) this.socket.unshift(chunk);
  }

  /** Hands the messages of this turn to the socket. */
  flush(): void {
    const messages = this.written;
    if (messages.length === 0) return;
    this.written = [];
    this.writtenBytes = 0;
    this.handedWrites += messages.length;
    this.hasManyWrites ||= this.handedWrites >= MANY_WRITES;
    if (messages.length === 1) {
      this.socket.write(messages[0] as Uint8Array, this.taken);
      return;
    }
    this.socket.cork();
    for (const message of messages) this.socket.write(message, this.taken);
    this.socket.uncork();
  }

  /** The socket has passed a write on. */
  private readonly taken = (): void => {
    if (--this.handedWrites > 0 || !this.hasManyWrites) return;
    this.hasManyWrites = false;
    this.drained();
  };

  private drained(): void {
    if (!this.closed) this.events?.drain?.();
  }

  pauseReading(): void {
    if (this.ended) return;
    this.paused = true;
    this.socket.pause();
  }

  resumeReading(): void {
    this.paused = false;
    if (this.events !== undefined && !this.isWaiting) this.socket.resume();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.flush();
    this.socket.end();
    // Closing with unread input would reset the connection, and the peer would lose what was sent last.
    this.socket.resume();
    this.linger(this.socket.writableLength);
  }

  destroy(): void {
    this.ended = true;
    this.written = [];
    this.writtenBytes = 0;
    this.socket.destroy();
  }

  listen(events: ConnectionEvents): void {
    this.events = events;
    if (this.closed) process.nextTick(() => events.close(this.reason ?? 'closed by this side'));
    else if (!this.paused) this.socket.resume();
  }

  private peerEnded(): void {
    if (this.ended) return;
    this.reason ??= PEER_CLOSED;
    if (this.events?.ended) {
      this.events.ended();
      return;
    }
    this.end();
    this.close(PEER_CLOSED);
  }

  private close(reason: string): void {
    if (this.closed) return;
    this.closed = true;
    this.reason = reason;
    this.events?.close(reason);
  }

  private linger(pendingBefore: number): void {
    const timer = setTimeout(() => {
      const pending = this.socket.writableLength;
      if (pending < pendingBefore) this.linger(pending);
      else this.socket.destroy();
    }, this.lingerMillis);
    timer.unref();
    this.socket.once('close', () => clearTimeout(timer));
  }
}
