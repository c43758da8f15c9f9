// The periods at whose multiples clients want a frame. A bridge has them of the simulation's own frames, at their top.

export class ExactTimes {
  /** How many hold each period, in tics. */
  private readonly holds = new Map<number, number>();

  get isEmpty(): boolean {
    return this.holds.size === 0;
  }

  hold(periodTics: number, isHeld: boolean): void {
    const count = (this.holds.get(periodTics) ?? 0) + (isHeld ? 1 : -1);
    if (count > 0) this.holds.set(periodTics, count);
    else this.holds.delete(periodTics);
  }

  has(timeTics: number): boolean {
    return [...this.holds.keys()].some((period) => timeTics % period === 0);
  }
}
