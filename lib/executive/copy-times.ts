// The exact simulation times at which sessions want a snapshot, whatever the frame. Trick: VariableServerSession scheduled copies

/** A few sessions with odd cycles must not turn every microsecond into a snapshot. */
const SHORTEST_PERIOD_TICS = 100;

export class CopyTimes {
  private readonly holders = new Map<number, number>();

  /** Holds (or lets go) one period; a period lives as long as somebody holds it. */
  hold(periodTics: number, isHeld: boolean): void {
    const period = Math.max(SHORTEST_PERIOD_TICS, Math.round(periodTics));
    const count = (this.holders.get(period) ?? 0) + (isHeld ? 1 : -1);
    if (count > 0) this.holders.set(period, count);
    else this.holders.delete(period);
  }

  /** The first time at or after this one that is a multiple of a held period; Infinity for none. */
  next(fromTics: number): number {
    let next = Number.POSITIVE_INFINITY;
    for (const period of this.holders.keys()) next = Math.min(next, Math.ceil(fromTics / period) * period);
    return next;
  }

  isDue(timeTics: number): boolean {
    for (const period of this.holders.keys()) if (timeTics % period === 0) return true;
    return false;
  }
}
