// Limits the messages of WebSockets that have not come whole: their bytes together, and the time of each.
import { networkOf } from '../network/network.js';
import { SharedRoom } from '../network/shared-room.js';
import { hostOf } from './address.js';
import type { Every } from './websocket-connection.js';

/** Less costs no more than a connection does. */
const LARGE_BYTES = 4096;
/** What the parser keeps for each piece besides its bytes. */
const PIECE_BYTES = 200;
/** A control frame has so much besides its payload. */
const CONTROL_BYTES = 6;
/** A request body has as long. */
const MESSAGE_SECONDS = 60;

const TOO_LATE = `a message had not come whole after ${MESSAGE_SECONDS} s`;
const CROWDED_OUT = 'unfinished messages took too much, its address had most, and its own was begun first';

/** Whose messages are followed. */
export interface Sender {
  /** Address and port. */
  readonly peer: string;
  /** Whether the server reads no further from it for now. */
  isPaused(): boolean;
  /** Ends its connection now. */
  cut(reason: string): void;
}

/** The messages of all WebSockets of one service. */
export class UnfinishedMessages {
  private readonly room: SharedRoom<SenderWatch>;

  /** @param ended called with a sentence when a connection is ended. */
  constructor(
    mostBytes: number,
    private readonly every: Every,
    private readonly ended: (sentence: string) => void,
  ) {
    this.room = new SharedRoom(mostBytes);
  }

  /** Follows one WebSocket, which gives what it reads to what is returned. */
  follow(sender: Sender): SenderWatch {
    const network = networkOf(hostOf(sender.peer));
    const watch: SenderWatch = new SenderWatch(sender, this.every, {
      holds: (bytes) => this.hold(watch, network, bytes),
      ended: (reason) => this.ended(`${sender.peer} was let go: ${reason}`),
    });
    return watch;
  }

  private hold(watch: SenderWatch, network: string, bytes: number): void {
    this.room.set(watch, network, bytes);
    for (let first = this.room.nextToGo; first; first = this.room.nextToGo) first.cut(CROWDED_OUT);
  }
}

interface Told {
  holds(bytes: number): void;
  ended(reason: string): void;
}

/** One WebSocket whose messages are followed. */
export class SenderWatch {
  /** What has come since the last message that is whole. */
  private bytes = 0;
  private pieces = 0;
  private heldBytes = 0;
  private stopTimer: (() => void) | undefined;
  private isOver = false;

  constructor(
    private readonly sender: Sender,
    private readonly every: Every,
    private readonly told: Told,
  ) {}

  /** Whether a message has begun. */
  get isUnfinished(): boolean {
    return this.bytes > 0;
  }

  /** A piece goes to the parser. */
  take(piece: Uint8Array): void {
    if (!this.isOver) this.count(this.bytes + piece.length, this.pieces + 1);
  }

  /** A message is whole. */
  end(): void {
    this.count(0, 0);
  }

  /** A control frame has come, which may stand inside a message. */
  control(payload: Uint8Array): void {
    const bytes = Math.max(0, this.bytes - payload.length - CONTROL_BYTES);
    this.count(bytes, bytes > 0 ? this.pieces : 0);
  }

  /** The connection is closed. */
  close(): void {
    this.isOver = true;
    this.hold(0);
  }

  cut(reason: string): void {
    this.close();
    this.sender.cut(reason);
    this.told.ended(reason);
  }

  private count(bytes: number, pieces: number): void {
    this.bytes = bytes;
    this.pieces = pieces;
    this.hold(bytes > LARGE_BYTES ? bytes + pieces * PIECE_BYTES : 0);
  }

  private hold(bytes: number): void {
    if (bytes === this.heldBytes) return;
    this.heldBytes = bytes;
    if (bytes === 0) {
      this.stopTimer?.();
      this.stopTimer = undefined;
    } else this.stopTimer ??= this.every(MESSAGE_SECONDS, () => this.timeOut());
    this.told.holds(bytes);
  }

  /** While the server reads nothing, nothing can come. */
  private timeOut(): void {
    if (!this.sender.isPaused()) this.cut(TOO_LATE);
  }
}
