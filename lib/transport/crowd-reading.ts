// When many sockets send much at the same moment, the rest of them is read in later turns. The system tells of a thousand
// sockets at once, and reading 64 KB from each of them takes a tenth of a second.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { holdReading, releaseReading } from './kernel-reading.js';
import { type Later, onceATurn } from './once-a-turn.js';

/** A chunk below this shows that its socket asks little. */
const LITTLE_BYTES = 2048;
/** What each reading takes besides its bytes, in bytes that take as long. */
const READING_BYTES = 1024;
/** When so much has been read in one turn, which takes two milliseconds, the others wait. */
export const MOST_BYTES_IN_TURN = 524_288;
/** Those that were the last to send little go on being read. */
export const MOST_EXEMPT = 64;
/** How many of those that wait are read again from each turn on. */
export const MOST_BACK_IN_TURN = 16;

export class CrowdReading {
  /** The last to send little is the last. */
  private readonly sockets = new Set<Socket>();
  private readonly held = new Set<Socket>();
  private readBytes = 0;
  private readonly schedule: () => void;

  constructor(later?: Later) {
    this.schedule = onceATurn(() => {
      this.readBytes = 0;
      this.letSomeBack();
    }, later);
  }

  /** Takes a socket into the crowd; call `remove` when it has closed. */
  add(socket: Socket): void {
    this.sockets.add(socket);
  }

  remove(socket: Socket): void {
    this.sockets.delete(socket);
    this.held.delete(socket);
  }

  /** Counts a chunk that a socket has read; one that was put back is not read again. */
  hasRead(socket: Duplex, bytes: number): void {
    if (bytes < LITTLE_BYTES && this.sockets.delete(socket as Socket)) this.sockets.add(socket as Socket);
    this.readBytes += bytes + READING_BYTES;
    this.schedule();
    if (this.readBytes < MOST_BYTES_IN_TURN) return;
    this.readBytes = 0;
    this.hold();
  }

  private hold(): void {
    let left = this.sockets.size - MOST_EXEMPT;
    for (const socket of this.sockets) {
      if (left-- <= 0) return;
      if (holdReading(socket)) this.held.add(socket);
    }
  }

  /** Those that have waited longest, who need not send anything. */
  private letSomeBack(): void {
    let count = 0;
    for (const socket of this.held) {
      if (count++ === MOST_BACK_IN_TURN) break;
      this.held.delete(socket);
      releaseReading(socket);
    }
    if (this.held.size > 0) this.schedule();
  }
}

/** Of all sockets of the process. */
export const crowdReading = new CrowdReading();
