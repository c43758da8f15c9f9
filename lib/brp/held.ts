// Amounts that a watch or a poll takes from its client's account; they are given back once, when it ends.

import type { FrameHeader } from '../frame/header.js';
import type { Variable } from '../model/variable.js';
import type { Account, Holding } from '../session/account.js';
import { tickMillisOf } from '../session/frame-cadence.js';
import { valuesIn } from '../session/value-count.js';

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

/** How many values a second it takes to look at these variables in every frame. */
export function valuesPerSecond(variables: readonly Variable[], header: FrameHeader): number {
  const values = variables.reduce((sum, { type }) => sum + valuesIn(type), 0);
  return Math.ceil((1000 * values) / tickMillisOf(header));
}
