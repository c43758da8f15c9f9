// Shares out what is read in one turn of the event loop: sockets that send much wait for each other, others do not wait.

import { type Later, onceATurn } from './once-a-turn.js';

/** A chunk of this size or more makes its socket wait when others wait, or when much has been read in this turn. */
const MUCH_BYTES = 16_384;
/** A smaller chunk never waits. */
const LITTLE_BYTES = 2048;
/** Bytes that sockets that send much may send together in one turn. */
const TURN_BYTES = 262_144;
/** How many waiting sockets continue in one turn; each reads up to 64 KB. */
const MOST_IN_TURN = 4;

export class ReadingTurns {
  private readonly waiting = new Map<object, () => void>();
  private readBytes = 0;
  private readonly schedule: () => void;

  constructor(later?: Later) {
    this.schedule = onceATurn(() => {
      this.readBytes = 0;
      this.turn();
    }, later);
  }

  /**
   * Counts bytes that a socket has read. False when the socket must read no further until `goOn` is called; a second
   * call for the same socket replaces the first.
   */
  mayReadOn(socket: object, bytes: number, goOn: () => void): boolean {
    this.readBytes += bytes;
    this.schedule();
    if (bytes < MUCH_BYTES) return true;
    if (this.readBytes < TURN_BYTES && this.waiting.size === 0) return true;
    this.waiting.set(socket, goOn);
    return false;
  }

  /**
   * Whether a chunk that a socket has read must wait because others have sent so much in this turn; then `goOn` is called
   * in a later turn.
   */
  mustWait(socket: object, bytes: number, goOn: () => void): boolean {
    if (bytes < LITTLE_BYTES || this.readBytes < TURN_BYTES) return false;
    this.waiting.set(socket, goOn);
    return true;
  }

  /** Whether a socket must not read yet. */
  isWaiting(socket: object): boolean {
    return this.waiting.has(socket);
  }

  /** Forgets a socket that has gone. */
  forget(socket: object): void {
    this.waiting.delete(socket);
  }

  private turn(): void {
    let count = 0;
    for (const [socket, goOn] of this.waiting) {
      if (count++ === MOST_IN_TURN) break;
      this.waiting.delete(socket);
      goOn();
    }
    if (this.waiting.size > 0) this.schedule();
  }
}

/** Shared by all sockets of the process. */
export const readingTurns = new ReadingTurns();
