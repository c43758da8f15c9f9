// Room in the log for lines that clients cause: so many bytes a second of one address, and of all.
import type { Clock } from '../scheduling/clock.js';

const MOST_BYTES_OF_ADDRESS = 128 * 1024;
const MOST_BYTES = 512 * 1024;
const WINDOW_MILLIS = 1000;

export class LogRoom {
  private windowStartMillis = Number.NEGATIVE_INFINITY;
  private readonly byNetwork = new Map<string, number>();
  private bytes = 0;

  constructor(private readonly clock: Pick<Clock, 'nowMillis'>) {}

  /** Whether a line of so many bytes may be written. @param network of the client's address. */
  take(network: string, bytes: number): boolean {
    const nowMillis = this.clock.nowMillis();
    if (nowMillis - this.windowStartMillis >= WINDOW_MILLIS) {
      this.windowStartMillis = nowMillis;
      this.byNetwork.clear();
      this.bytes = 0;
    }
    const ofNetwork = (this.byNetwork.get(network) ?? 0) + bytes;
    if (ofNetwork > MOST_BYTES_OF_ADDRESS || this.bytes + bytes > MOST_BYTES) return false;
    this.byNetwork.set(network, ofNetwork);
    this.bytes += bytes;
    return true;
  }
}
