// Limits the long messages that are carried out at a time: what they say takes several times their bytes, and a thousand
// clients whose messages are all half done would fill the memory.
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
  private readonly byAddress = new Map<string, number>();
  private readonly waiting = new Map<string, Waiting[]>();
  private bytes = 0;

  /** Calls `start` when there is room, which may be at once. The returned function ends the message, or its waiting. */
  enter({ address, rankMillis }: Account, bytes: number, start: () => void): () => void {
    const mostBytes = rankMillis < LITTLE_MILLIS ? MORE_BYTES_OF_ADDRESS : MOST_BYTES_OF_ADDRESS;
    if (this.hasRoom(address, mostBytes)) {
      this.take(address, bytes);
      start();
      return () => this.leave(address, bytes);
    }
    const queue = this.waiting.get(address) ?? [];
    this.waiting.set(address, queue);
    const waiting = { bytes, start };
    queue.push(waiting);
    return () => {
      const place = queue.indexOf(waiting);
      if (place < 0) this.leave(address, bytes);
      else queue.splice(place, 1);
    };
  }

  private hasRoom(address: string, mostBytes = MOST_BYTES_OF_ADDRESS): boolean {
    return (this.byAddress.get(address) ?? 0) < mostBytes && this.bytes < MOST_BYTES;
  }

  private take(address: string, bytes: number): void {
    this.byAddress.set(address, (this.byAddress.get(address) ?? 0) + bytes);
    this.bytes += bytes;
  }

  private leave(address: string, bytes: number): void {
    const left = (this.byAddress.get(address) ?? 0) - bytes;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
    this.bytes -= bytes;
    this.startSome(address);
    for (const other of this.waiting.keys()) {
      if (this.bytes >= MOST_BYTES) return;
      this.startSome(other);
    }
  }

  private startSome(address: string): void {
    const queue = this.waiting.get(address) ?? [];
    for (let first = queue[0]; first && this.hasRoom(address); first = queue[0]) {
      queue.shift();
      this.take(address, first.bytes);
      first.start();
    }
    if (queue.length === 0) this.waiting.delete(address);
  }
}
