// Passes bytes from a socket to the parser of its WebSocket: not for long in one turn of the event loop, because what is
// read at once may hold ten thousand small messages.
import type { Duplex } from 'node:stream';
import { type Door, type DoorPlace, door } from './door.js';

/** What the parser gets at once: three hundred of the smallest messages, which take less than a millisecond. */
const PIECE_BYTES = 2048;
/** How long one socket's bytes are passed on before others have their turn. */
const SLICE_MILLIS = 1;

type Listener = (chunk: Buffer) => void;

export class WebSocketFeed {
  private readonly parser: readonly Listener[];
  /** Bytes that have not been passed on wait for their turn in the paused socket. */
  private isWaiting = false;
  private isTurn = false;
  private isOver = false;
  private readonly place: DoorPlace;

  /**
   * Call it right after the WebSocket was given the socket.
   * @param isStopped whether the server reads no further from the WebSocket for now.
   */
  constructor(
    private readonly socket: Duplex,
    private readonly isStopped: () => boolean,
    entrance: Door = door,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {
    this.place = entrance.placeOf(socket);
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
    if (this.isOver) return;
    this.place.holds(chunk.length);
    if (this.isTurn) this.pass(chunk);
    else if (!this.isWaiting && this.place.isFree) this.place.begin(() => this.pass(chunk));
    else this.waitWith(chunk);
  };

  private pass(chunk: Buffer): void {
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
        return;
      }
    }
  }

  private waitWith(rest: Buffer): void {
    this.socket.pause();
    this.socket.unshift(rest);
    if (this.isWaiting) return;
    this.isWaiting = true;
    this.place.resume(this.goOn);
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
