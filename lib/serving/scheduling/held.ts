// Amounts that one thing takes from its client's account; they are given back once, when it ends.
import { type Account, isWithinBounds } from './account.js';
import type { Holding } from './holdings.js';

export class Held {
  /** Made when something is held: most clients never hold anything here. */
  private amounts: Map<Holding, number> | undefined;

  constructor(private readonly account: Account) {}

  /** Sets an amount. Throws an OverBoundError, and keeps the amount before. */
  set(holding: Holding, amount: number): void {
    const before = this.amounts?.get(holding) ?? 0;
    if (amount === before) return;
    this.account.change(holding, before, amount);
    this.amounts ??= new Map();
    this.amounts.set(holding, amount);
  }

  /** As `set`, but returns whether the client may hold that much. */
  trySet(holding: Holding, amount: number): boolean {
    return isWithinBounds(() => this.set(holding, amount));
  }

  /** Sets several amounts. Throws an OverBoundError, and keeps all amounts before. */
  setAll(amounts: Partial<Record<Holding, number>>): void {
    const before = new Map(this.amounts);
    try {
      for (const [holding, amount] of Object.entries(amounts)) this.set(holding as Holding, amount);
    } catch (error) {
      for (const holding of Object.keys(amounts) as Holding[]) this.set(holding, before.get(holding) ?? 0);
      throw error;
    }
  }

  release(): void {
    if (!this.amounts) return;
    for (const [holding, amount] of this.amounts) this.account.give(holding, amount);
    this.amounts.clear();
  }
}
