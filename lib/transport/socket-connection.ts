/** A Connection over one stream socket, plain or TLS. */
import type { Socket } from 'node:net';
import { formatAddress } from './address.js';
import { closeReason } from './close-reason.js';
import type { Connection, ConnectionEvents } from './connection.js';
import { currentTurn } from './turn.js';

const DEFAULT_LINGER_MS = 5_000;

const PEER_CLOSED = 'the peer closed the connection';

export class SocketConnection implements Connection {
  readonly kind = 'tcp';
  readonly peer: string;
  readonly local: string;
  readonly #socket: Socket;
  readonly #lingerMs: number;
  #events: ConnectionEvents | undefined;
  #paused = false;
  #writtenTurn = -1;
  #isGathering = false;
  #ended = false;
  #reason: string | undefined;
  #closed = false;

  /**
   * Takes over `socket`; bytes it has buffered are delivered first. `lingerMs` is how long a peer that takes nothing
   * may keep the socket after `end()`.
   */
  constructor(socket: Socket, lingerMs = DEFAULT_LINGER_MS) {
    this.peer = formatAddress(socket.remoteAddress, socket.remotePort);
    this.local = formatAddress(socket.localAddress, socket.localPort);
    this.#socket = socket;
    this.#lingerMs = lingerMs;
    // Paused before the data listener is added: nothing flows until someone listens.
    socket.pause();
    socket.on('data', (chunk: Buffer) => {
      if (!this.#ended) this.#events?.data(chunk);
    });
    socket.on('drain', () => {
      if (!this.#closed) this.#events?.drain?.();
    });
    socket.on('end', () => this.#peerEnded());
    socket.on('error', (error) => {
      this.#reason ??= closeReason(error);
    });
    socket.on('close', () => this.#close(this.#reason ?? 'closed by this side'));
  }

  get pendingBytes(): number {
    return this.#socket.writableLength;
  }

  write(message: Uint8Array | string): boolean {
    if (this.#ended || this.#closed) return false;
    // Most turns have one message, which leaves at once; those that follow it leave together.
    const turn = currentTurn();
    if (turn === this.#writtenTurn) this.#gather();
    this.#writtenTurn = turn;
    // The socket would count text in characters; pendingBytes is bytes.
    this.#socket.write(typeof message === 'string' ? Buffer.from(message) : message);
    return true;
  }

  pauseReading(): void {
    if (this.#ended) return;
    this.#paused = true;
    this.#socket.pause();
  }

  resumeReading(): void {
    this.#paused = false;
    if (this.#events !== undefined) this.#socket.resume();
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket.end();
    // Unread input would turn the close into a reset, and the peer would lose what was sent last.
    this.#socket.resume();
    this.#linger(this.#socket.writableLength);
  }

  destroy(): void {
    this.#ended = true;
    this.#socket.destroy();
  }

  listen(events: ConnectionEvents): void {
    this.#events = events;
    if (this.#closed) process.nextTick(() => events.close(this.#reason ?? 'closed by this side'));
    else if (!this.#paused) this.#socket.resume();
  }

  #gather(): void {
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#socket.cork();
    process.nextTick(() => {
      this.#isGathering = false;
      this.#socket.uncork();
    });
  }

  #peerEnded(): void {
    if (this.#ended) return;
    this.#reason ??= PEER_CLOSED;
    if (this.#events?.ended) {
      this.#events.ended();
      return;
    }
    this.end();
    this.#close(PEER_CLOSED);
  }

  #close(reason: string): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#reason = reason;
    this.#events?.close(reason);
  }

  #linger(pendingBefore: number): void {
    const timer = setTimeout(() => {
      const pending = this.#socket.writableLength;
      if (pending < pendingBefore) this.#linger(pending);
      else this.#socket.destroy();
    }, this.#lingerMs);
    timer.unref();
    this.#socket.once('close', () => clearTimeout(timer));
  }
}
