// Passes bytes from a socket to the parser of its WebSocket: not for long in one turn of the event loop, because what is
// read at once may hold ten thousand small messages.
import type { Duplex } from 'node:stream';
import { crowdReading } from './crowd-reading.js';
import { Paced } from './paced.js';

/** What the parser gets at once: three hundred of the smallest messages, which take less than a millisecond. */
const PIECE_BYTES = 2048;
/** So little is passed on even if the turn is used up: eighty of the smallest messages. */
const SHORT_BYTES = 512;
/** The end of a message that has more bytes before it may wait: the parser puts all of them together then. */
const LONG_BYTES = 64 * 1024;
/** How long one socket's bytes are passed on before others have their turn. */
const SLICE_MILLIS = 1;
/** Shared by all sockets of the process. */
const input = new Paced(0.5);

type Listener = (chunk: Buffer) => void;

export class WebSocketFeed {
  private readonly parser: readonly Listener[];
  /** Bytes that have not been passed on wait for their turn in the paused socket. */
  private isWaiting = false;
  private isTurn = false;
  private isOver = false;

  /**
   * Call it right after the WebSocket was given the socket.
   * @param isStopped whether the server reads no further from the WebSocket for now.
   * @param unfinishedBytes how much has come of a message that has not come whole.
   */
  constructor(
    private readonly socket: Duplex,
    private readonly isStopped: () => boolean,
    private readonly unfinishedBytes: () => number,
    private readonly pace: Paced = input,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {
    this.parser = socket.listeners('data') as Listener[];
    for (const listener of this.parser) socket.removeListener('data', listener);
    socket.on('data', this.take);
    // The parser would get the bytes of a connection that was cut all at once.
    socket.prependListener('close', () => {
      this.isOver = true;
      socket.read();
    });
  }

  /** Passes nothing on from now on. What still comes is read, because the end of the connection comes behind it. */
  discard(): void {
    this.isOver = true;
    this.socket.resume();
  }

  private readonly take = (chunk: Buffer): void => {
    if (!this.isTurn) crowdReading.hasRead(this.socket, chunk.length);
    if (this.isOver) return;
    if (this.isTurn) this.pass(chunk);
    else if (this.isWaiting) this.holdBack(chunk);
    else if (this.isShort(chunk) || !this.pace.isBusy) this.pace.spend(() => this.pass(chunk));
    else {
      this.waitWith(chunk);
      this.pace.wait(this.goOn);
    }
  };

  private isShort(chunk: Buffer): boolean {
    return chunk.length <= SHORT_BYTES && this.unfinishedBytes() <= LONG_BYTES;
  }

  private pass(chunk: Buffer): void {
    this.pace.countReading(chunk.length);
    const endMillis = this.nowMillis() + SLICE_MILLIS;
    for (let at = 0; at < chunk.length; ) {
      const piece = chunk.subarray(at, at + PIECE_BYTES);
      at += piece.length;
      for (const listener of this.parser) listener.call(this.socket, piece);
      if (this.isOver || this.socket.destroyed || at >= chunk.length) return;
      const rest = chunk.subarray(at);
      if (this.socket.isPaused()) {
        this.socket.unshift(rest);
        return;
      }
      if (this.nowMillis() >= endMillis) {
        this.waitWith(rest);
        this.pace.goOn(this.goOn);
        return;
      }
    }
  }

  private waitWith(rest: Buffer): void {
    this.isWaiting = true;
    this.holdBack(rest);
  }

  private holdBack(rest: Buffer): void {
    this.socket.pause();
    this.socket.unshift(rest);
  }

  private readonly goOn = (): void => {
    this.isWaiting = false;
    if (this.isOver || this.socket.destroyed || this.isStopped()) return;
    this.socket.resume();
    this.isTurn = true;
    // Emits the bytes now, not in the next tick.
    this.socket.read();
    this.isTurn = false;
  };
}
