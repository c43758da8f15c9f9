// Limits the bytes of request bodies that have been read and whose answers are not made yet: a client that sends, leaves
// and sends again would fill the memory.
import { LIMITS } from '../bounds/limits.js';
import { NetworkCounts } from '../network/network-counts.js';

const { ofAddress, all } = LIMITS.waitingRequestBytes;
/** A client whose long requests wait must not keep the short ones of its address out. */
const UNCOUNTED_BYTES = 16 * 1024;

export class WaitingBodies {
  readonly counts = new NetworkCounts((ofNetwork, ofAll) => ofNetwork <= ofAddress && ofAll <= all);

  /** Counts a body until `answer` is over. Returns false, and calls nothing, when there is no room for it. */
  async during(address: string, bytes: number, answer: () => Promise<void>): Promise<boolean> {
    const counted = bytes > UNCOUNTED_BYTES ? bytes : 0;
    if (!this.counts.take(address, counted)) return false;
    try {
      await answer();
    } finally {
      this.counts.give(address, counted);
    }
    return true;
  }
}
