// Limits the long messages that are carried out at a time: what they say takes several times their bytes, and a thousand
// clients whose messages are all half done would fill the memory.
import { NetworkCounts } from '../network/network-counts.js';
import type { Account } from './account.js';

/** One more begins while all that are carried out have fewer bytes, and those of its address. */
const MOST_BYTES = 8 * 1024 * 1024;
const MOST_BYTES_OF_ADDRESS = 1024 * 1024;
/** The same, for who has used little computing time lately. */
const MORE_BYTES_OF_ADDRESS = 2 * 1024 * 1024;
const LITTLE_MILLIS = 16;
/** Shorter messages never wait, so that long ones keep none of them out. */
export const SHORT_BYTES = 16 * 1024;

interface Waiting {
  readonly bytes: number;
  readonly start: () => void;
}

/** The long messages of all clients. */
export class LongMessages {
  readonly counts = new NetworkCounts(() => true);
  private readonly waiting = new Map<string, Waiting[]>();

  /** Calls `start` when there is room, which may be at once. The returned function ends the message, or its waiting. */
  enter({ network, rankMillis }: Account, bytes: number, start: () => void): () => void {
    const mostBytes = rankMillis < LITTLE_MILLIS ? MORE_BYTES_OF_ADDRESS : MOST_BYTES_OF_ADDRESS;
    if (this.hasRoom(network, mostBytes)) {
      this.counts.take(network, bytes);
      start();
      return () => this.leave(network, bytes);
    }
    const queue = this.waiting.get(network) ?? [];
    this.waiting.set(network, queue);
    const waiting = { bytes, start };
    queue.push(waiting);
    return () => {
      const place = queue.indexOf(waiting);
      if (place < 0) this.leave(network, bytes);
      else queue.splice(place, 1);
    };
  }

  private hasRoom(network: string, mostBytes = MOST_BYTES_OF_ADDRESS): boolean {
    return this.counts.of(network) < mostBytes && this.counts.held < MOST_BYTES;
  }

  private leave(network: string, bytes: number): void {
    this.counts.give(network, bytes);
    this.startSome(network);
    for (const other of this.waiting.keys()) {
      if (this.counts.held >= MOST_BYTES) return;
      this.startSome(other);
    }
  }

  private startSome(network: string): void {
    const queue = this.waiting.get(network) ?? [];
    for (let first = queue[0]; first && this.hasRoom(network); first = queue[0]) {
      queue.shift();
      this.counts.take(network, first.bytes);
      first.start();
    }
    if (queue.length === 0) this.waiting.delete(network);
  }
}
