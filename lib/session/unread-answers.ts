// Whole answers of plain HTTP that clients have not taken. All connections of an address are one client, so what waits on
// one of them leaves less for the others.
import { hostOf } from '../network/address.js';
import { NetworkCounts } from '../network/network-counts.js';
import type { Clock } from '../scheduling/clock.js';
import { HARMLESS_BYTES, StallWatch } from './stall-watch.js';

/** No more than a client may have unread as a rule counts for the time that its line needs. */
const LONGEST_LINE_BYTES = 32 * 1024 * 1024;

/** A transport's connection whose client has whole answers to take. */
export interface AnsweredConnection {
  /** `127.0.0.1:53412`, IPv6 in brackets. */
  readonly peer: string;
  /** Bytes of answers that the client could have taken and has not. */
  readonly pendingBytes: number;
  /** Whether they wait behind a download that goes on; whoever sends that watches that the client takes it. */
  readonly isDownloading: boolean;
  /** Cuts the connection. */
  destroy(): void;
}

export class UnreadAnswers {
  private readonly held = new NetworkCounts(() => true);

  /** @param letGo gets a sentence for the log about each client whose connection is cut. */
  constructor(
    private readonly clock: Clock,
    private readonly letGo: (sentence: string) => void,
  ) {}

  /** Watches a connection: it is cut when its client has too much to read and takes nothing for long. */
  watch(connection: AnsweredConnection): AnswersOfConnection {
    return new AnswersOfConnection(connection, this.held, this.clock, this.letGo);
  }
}

class AnswersOfConnection {
  private readonly address: string;
  private readonly stall: StallWatch;
  private heldBytes = 0;

  constructor(
    private readonly connection: AnsweredConnection,
    private readonly held: NetworkCounts,
    clock: Clock,
    private readonly letGo: (sentence: string) => void,
  ) {
    this.address = hostOf(connection.peer);
    this.stall = new StallWatch(connection, clock, {
      moved: () => this.settle(),
      stalled: (sentence) => this.stalled(sentence),
    });
  }

  /** So many bytes more are the client's to take. */
  add(bytes: number): void {
    this.stall.add(bytes);
    this.hold(this.heldBytes + bytes);
    this.regulate();
  }

  /** The client has taken an answer or a part of one, or has gone, or a download before them has ended. */
  settle(): void {
    const { pendingBytes } = this.connection;
    // Whoever takes some of it has its time anew, for what is left.
    if (pendingBytes < this.heldBytes) this.stall.stop();
    this.hold(Math.min(this.heldBytes, pendingBytes));
    this.regulate();
  }

  private hold(bytes: number): void {
    this.held.take(this.address, bytes - this.heldBytes);
    this.heldBytes = bytes;
  }

  /** Connections of an address share its line, so each has the time that all of them need. */
  private regulate(): void {
    if (this.isHarmless || this.connection.isDownloading) this.stall.stop();
    else this.stall.start(() => Math.min(this.held.of(this.address), LONGEST_LINE_BYTES));
  }

  /** Connections that are not watched have no more than that together: whoever comes above it is watched. */
  private get isHarmless(): boolean {
    return this.heldBytes === 0 || this.held.of(this.address) <= HARMLESS_BYTES;
  }

  private stalled(sentence: string): void {
    // Others of its address may have taken theirs meanwhile.
    if (this.isHarmless) return;
    this.letGo(`${this.connection.peer} was let go: ${sentence}`);
    this.connection.destroy();
  }
}
