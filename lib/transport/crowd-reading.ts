// When many sockets send at the same moment, the rest of them is read in later turns. The system tells of a thousand
// sockets at once, and reading 64 KB from each of them takes a tenth of a second; so do a thousand small messages.
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { networkOf } from '../network/network.js';
import { NetworkRounds } from '../network/network-rounds.js';
import { holdReading, releaseReading } from './kernel-reading.js';
import { type Later, onceATurn } from './once-a-turn.js';

/** A chunk below this shows that its socket asks little. */
const LITTLE_BYTES = 2048;
/** What each reading takes besides its bytes, in bytes that take as long. */
const READING_BYTES = 1024;
/** When so much has been read in one turn, which takes two milliseconds, the others wait. */
export const MOST_BYTES_IN_TURN = 524_288;
/** They also wait when reading, and what it caused at once, has taken so long. */
export const MOST_MILLIS_IN_TURN = 3;
/** So many go on being read: the last to have sent little, and those who have done so in several turns before the others. */
export const MOST_RECENT = 32;
/** So do so many of those who have sent little for longest and still do, of each network in its turn. */
export const MOST_SENIOR = 32;
/** Who has sent nothing for so long gives its place to another. */
const SENIOR_MILLIS = 10_000;
/** How many of those that wait are read again from each turn on. */
export const MOST_BACK_IN_TURN = 16;

/** A socket as a crowd knows it. */
interface Reader {
  readonly socket: Socket;
  readonly network: string;
  /** The turn in which it first sent little. */
  firstTurn: number | undefined;
  /** When it last sent little. */
  heardMillis: number;
}

export class CrowdReading {
  private readonly readers = new Map<Duplex, Reader>();
  /** The last that has sent little is the last. */
  private readonly newcomers = new Set<Reader>();
  /** Those that have sent little in several turns, in the same order. A crowd that comes at once does not put them behind it. */
  private readonly known = new Set<Reader>();
  /** The same, in the order in which they became known. */
  private readonly senior = new NetworkRounds<Reader>();
  private readonly held = new NetworkRounds<Reader>();
  private turns = 0;
  private readBytes = 0;
  /** When the first socket was read in this turn, or after the others were made to wait. */
  private sinceMillis: number | undefined;
  /** Whether others have been made to wait in this turn. */
  private isCrowded = false;
  private readonly schedule: () => void;

  constructor(
    later?: Later,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {
    this.schedule = onceATurn(() => {
      this.turns++;
      this.isCrowded = false;
      this.restart();
      this.letSomeBack();
    }, later);
  }

  /** Takes a socket into the crowd; call `remove` when it has closed. */
  add(socket: Socket): void {
    const network = networkOf(socket.remoteAddress ?? '');
    const reader = { socket, network, firstTurn: undefined, heardMillis: 0 };
    this.readers.set(socket, reader);
    this.newcomers.add(reader);
  }

  remove(socket: Socket): void {
    const reader = this.readers.get(socket);
    if (!reader) return;
    this.readers.delete(socket);
    this.newcomers.delete(reader);
    this.known.delete(reader);
    this.senior.delete(reader.network, reader);
    this.held.delete(reader.network, reader);
  }

  /** Counts a chunk that a socket has read; one that was put back is not read again. */
  hasRead(socket: Duplex, bytes: number): void {
    const nowMillis = this.nowMillis();
    const reader = this.readers.get(socket);
    if (reader && bytes < LITTLE_BYTES) this.sentLittle(reader, nowMillis);
    this.readBytes += bytes + READING_BYTES;
    this.sinceMillis ??= nowMillis;
    this.schedule();
    // Those that are read on have sent little so far.
    if (reader && this.isCrowded && bytes >= LITTLE_BYTES) this.holdOne(reader);
    if (this.readBytes < MOST_BYTES_IN_TURN && nowMillis - this.sinceMillis < MOST_MILLIS_IN_TURN) return;
    this.restart();
    this.hold(nowMillis);
  }

  private restart(): void {
    this.readBytes = 0;
    this.sinceMillis = undefined;
  }

  private sentLittle(reader: Reader, nowMillis: number): void {
    reader.heardMillis = nowMillis;
    reader.firstTurn ??= this.turns;
    if (this.known.delete(reader)) {
      this.known.add(reader);
      return;
    }
    this.newcomers.delete(reader);
    if (reader.firstTurn === this.turns) this.newcomers.add(reader);
    else {
      this.known.add(reader);
      this.senior.add(reader.network, reader);
    }
  }

  private hold(nowMillis: number): void {
    let left = this.newcomers.size + this.known.size - MOST_RECENT;
    if (left <= MOST_SENIOR) return;
    this.isCrowded = true;
    const isActive = ({ heardMillis }: Reader): boolean => nowMillis - heardMillis < SENIOR_MILLIS;
    const senior = new Set(this.senior.first(MOST_SENIOR, isActive));
    for (const readers of [this.newcomers, this.known])
      for (const reader of readers) {
        if (left-- <= 0) return;
        if (!senior.has(reader)) this.holdOne(reader);
      }
  }

  private holdOne(reader: Reader): void {
    if (holdReading(reader.socket)) this.held.add(reader.network, reader);
  }

  /** Those that have waited longest, who need not send anything; of each network in its turn. */
  private letSomeBack(): void {
    for (let count = 0; count < MOST_BACK_IN_TURN; count++) {
      const reader = this.held.takeNext();
      if (!reader) return;
      releaseReading(reader.socket);
    }
    if (this.held.size > 0) this.schedule();
  }
}

/** Of all sockets of the process. */
export const crowdReading = new CrowdReading();
