// Amounts that one thing takes from its client's account; they are given back once, when it ends.
import type { Account, Holding } from './account.js';

export class Held {
  private readonly amounts = new Map<Holding, number>();

  constructor(private readonly account: Account) {}

  /** Sets an amount. Throws an OverBoundError, and keeps the amount before. */
  set(holding: Holding, amount: number): void {
    this.account.change(holding, this.amounts.get(holding) ?? 0, amount);
    this.amounts.set(holding, amount);
  }

  release(): void {
    for (const [holding, amount] of this.amounts) this.account.give(holding, amount);
    this.amounts.clear();
  }
}
