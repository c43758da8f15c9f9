// Amounts that are held, in all and by each network of clients.
import { networkOf } from './network.js';

export class NetworkCounts {
  private readonly byNetwork = new Map<string, number>();
  private total = 0;
  private refused = 0;

  /**
   * @param fits whether a network may hold so much when all together hold so much, both with what is asked for.
   */
  constructor(private readonly fits: (ofNetwork: number, ofAll: number) => boolean) {}

  /** The amount that all hold. */
  get held(): number {
    return this.total;
  }

  /** How often somebody was refused more. */
  get refusals(): number {
    return this.refused;
  }

  /** The amount that the network of an address holds. */
  of(address: string): number {
    return this.byNetwork.get(networkOf(address)) ?? 0;
  }

  /** Takes an amount for an address; returns false, and takes nothing, when that would be too much. */
  take(address: string, amount = 1): boolean {
    if (amount > 0 && !this.fits(this.of(address) + amount, this.total + amount)) {
      this.refused++;
      return false;
    }
    this.add(address, amount);
    return true;
  }

  /** Gives back an amount that was taken. */
  give(address: string, amount = 1): void {
    this.add(address, -amount);
  }

  private add(address: string, amount: number): void {
    const network = networkOf(address);
    const own = (this.byNetwork.get(network) ?? 0) + amount;
    if (own > 0) this.byNetwork.set(network, own);
    else this.byNetwork.delete(network);
    this.total += amount;
  }
}
