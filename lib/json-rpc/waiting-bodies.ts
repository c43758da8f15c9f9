// Limits the bytes of request bodies that have been read and whose answers are not made yet: a client that sends, leaves
// and sends again would fill the memory.
import { RpcCode, RpcError } from './rpc-error.js';

/** Bytes of all addresses, and of one. */
const MOST_BYTES = 64 * 1024 * 1024;
const MOST_BYTES_OF_ADDRESS = 16 * 1024 * 1024;

/** Made once, because a flood meets it often. */
export const TOO_MANY_BODIES = new RpcError(
  RpcCode.tooMany,
  'requests that wait for their answers have as many bytes as this server holds for an address, or for all; send it later',
);

export class WaitingBodies {
  private readonly byAddress = new Map<string, number>();
  private bytes = 0;

  /** Counts a body until `release`. Returns false, and counts nothing, when there is no room for it. */
  hold(address: string, bytes: number): boolean {
    const ofAddress = (this.byAddress.get(address) ?? 0) + bytes;
    if (ofAddress > MOST_BYTES_OF_ADDRESS || this.bytes + bytes > MOST_BYTES) return false;
    this.byAddress.set(address, ofAddress);
    this.bytes += bytes;
    return true;
  }

  release(address: string, bytes: number): void {
    const left = (this.byAddress.get(address) ?? 0) - bytes;
    if (left > 0) this.byAddress.set(address, left);
    else this.byAddress.delete(address);
    this.bytes -= bytes;
  }
}
