// The memory that one session has declared, in its client's account until it is deleted or the client goes.
import type { Account } from '../../../serving/scheduling/account.js';

export class DeclaredMemory {
  /** Bytes by address, or by the path of the pointer that they are for. */
  private readonly held = new Map<number | string, number>();

  constructor(private readonly account: Account) {}

  /** Throws an OverBoundError when the client may not hold so much. */
  take(bytes: number): void {
    this.account.take('keptBytes', bytes);
  }

  giveBack(bytes: number): void {
    this.account.give('keptBytes', bytes);
  }

  /** Notes the address of memory that was taken, or the pointer that it is for. */
  isAt(address: number | string, bytes: number): void {
    this.held.set(address, bytes);
  }

  has(address: number): boolean {
    return this.held.has(address);
  }

  /** Gives back the memory at an address, which has been deleted. */
  isGone(address: number | string): void {
    this.account.give('keptBytes', this.held.get(address) ?? 0);
    this.held.delete(address);
  }
}
