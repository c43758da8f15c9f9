// What comes back with time: so much at once, and so much again each second.

export interface MostAtOnce {
  readonly atOnce: number;
  readonly perSecond: number;
}

export class Rate {
  private left: number;
  private seenMillis: number;

  constructor(
    private readonly most: MostAtOnce,
    private readonly nowMillis: () => number,
  ) {
    this.left = most.atOnce;
    this.seenMillis = nowMillis();
  }

  /** How much could be taken now. */
  get available(): number {
    const { atOnce, perSecond } = this.most;
    const nowMillis = this.nowMillis();
    this.left = Math.min(atOnce, this.left + ((nowMillis - this.seenMillis) * perSecond) / 1000);
    this.seenMillis = nowMillis;
    return this.left;
  }

  /**
   * Takes an amount; false, and takes nothing, when there is too little.
   * @param least how much must be there. Default: all of it.
   */
  take(amount = 1, least = amount): boolean {
    if (this.available < least) return false;
    this.left -= amount;
    return true;
  }
}

/** Of how many clients or addresses a rate is known; the one that has been quiet longest is forgotten. */
const MOST_KNOWN = 10_000;

/** A rate of each client or address. */
export class Rates {
  private readonly known = new Map<string, Rate>();

  constructor(
    private readonly most: MostAtOnce,
    private readonly nowMillis: () => number,
  ) {}

  /** Whether somebody has taken anything lately. */
  has(who: string): boolean {
    return this.known.has(who);
  }

  of(who: string): Rate {
    const rate = this.known.get(who) ?? new Rate(this.most, this.nowMillis);
    // Inserted again, so that the first in the map is the one that has been quiet longest.
    this.known.delete(who);
    this.known.set(who, rate);
    if (this.known.size > MOST_KNOWN) this.known.delete(this.known.keys().next().value as string);
    return rate;
  }
}
