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
/** So many go on being read: those that have sent little in several turns, the last to do so, then the others. */
export const MOST_EXEMPT = 64;
/** Of a socket that has not sent little so far. */
const UNHEARD = -1;
/** How many of those that wait are read again from each turn on. */
export const MOST_BACK_IN_TURN = 16;

export class CrowdReading {
  /** With the turn in which one first sent little; the last to do so is the last. */
  private readonly newcomers = new Map<Socket, number>();
  /** Those that have sent little in several turns. A crowd that comes at once does not put them behind it. */
  private readonly known = new Set<Socket>();
  private readonly held = new Set<Socket>();
  private turns = 0;
  private readBytes = 0;
  private readonly schedule: () => void;

  constructor(later?: Later) {
    this.schedule = onceATurn(() => {
      this.turns++;
      this.readBytes = 0;
      this.letSomeBack();
    }, later);
  }

  /** Takes a socket into the crowd; call `remove` when it has closed. */
  add(socket: Socket): void {
    this.newcomers.set(socket, UNHEARD);
  }

  remove(socket: Socket): void {
    this.newcomers.delete(socket);
    this.known.delete(socket);
    this.held.delete(socket);
  }

  /** Counts a chunk that a socket has read; one that was put back is not read again. */
  hasRead(socket: Duplex, bytes: number): void {
    if (bytes < LITTLE_BYTES) this.sentLittle(socket as Socket);
    this.readBytes += bytes + READING_BYTES;
    this.schedule();
    if (this.readBytes < MOST_BYTES_IN_TURN) return;
    this.readBytes = 0;
    this.hold();
  }

  private sentLittle(socket: Socket): void {
    const first = this.newcomers.get(socket);
    const isKnown = this.known.delete(socket) || (first !== undefined && first !== UNHEARD && first < this.turns);
    if (isKnown) this.known.add(socket);
    if (first === undefined) return;
    this.newcomers.delete(socket);
    if (!isKnown) this.newcomers.set(socket, this.turns);
  }

  private hold(): void {
    let left = this.newcomers.size + this.known.size - MOST_EXEMPT;
    for (const sockets of [this.newcomers.keys(), this.known])
      for (const socket of sockets) {
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
