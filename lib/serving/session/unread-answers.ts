// Whole answers of plain HTTP that clients have not taken. All connections of an address are one client, so what waits on
// one of them leaves less for the others.
import { hostOf } from '../network/address.js';
import { NetworkCounts } from '../network/network-counts.js';
import type { Clock } from '../scheduling/clock.js';
import { HARMLESS_BYTES, type Taken, Untaken } from './untaken.js';

/** No more than a client may have unread as a rule counts for the time that its line needs. */
const LONGEST_LINE_BYTES = 32 * 1024 * 1024;

/** A transport's connection whose client has whole answers to take; what it could have taken and has not is pending. */
export interface AnsweredConnection extends Taken {
  /** `127.0.0.1:53412`, IPv6 in brackets. */
  readonly peer: string;
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
  watch(connection: AnsweredConnection): Untaken {
    const { held } = this;
    const { peer } = connection;
    const address = hostOf(peer);
    const holder = {
      changed: (bytes: number) => void held.take(address, bytes),
      // Connections that are not watched have no more than that together: whoever comes above it is watched.
      isHarmless: () => connection.isDownloading || held.of(address) <= HARMLESS_BYTES,
      // Connections of an address share its line, so each has the time that all of them need.
      lineBytes: () => Math.min(held.of(address), LONGEST_LINE_BYTES),
    };
    return new Untaken(connection, this.clock, holder, (sentence) => {
      this.letGo(`${peer} was let go: ${sentence}`);
      connection.destroy();
    });
  }
}
