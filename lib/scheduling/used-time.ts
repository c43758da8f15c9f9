// Computing time that was used lately: older time counts less, and after some seconds it counts nothing.

/** Time after which used computing time counts half. */
const HALF_LIFE_MILLIS = 500;
/** In a shorter time used time is forgotten evenly, which is less than a thousandth off and costs less than a power. */
const SHORT_MILLIS = 20;
/** An address that has used less time than this is forgotten. */
const FORGOTTEN_BELOW_MILLIS = 0.01;
/** Addresses are looked through for forgotten ones when there are more than this, and twice as many as were left. */
const FEW_ADDRESSES = 1000;

export class UsedTime {
  private recentMillis = 0;

  constructor(private seenMillis: number) {}

  spend(millis: number, nowMillis: number): void {
    this.forgetUntil(nowMillis);
    this.recentMillis += millis;
  }

  /** How much of it still counts at a time. */
  millisAt(nowMillis: number): number {
    this.forgetUntil(nowMillis);
    return this.recentMillis;
  }

  private forgetUntil(nowMillis: number): void {
    const passedMillis = nowMillis - this.seenMillis;
    const isShort = passedMillis >= 0 && passedMillis < SHORT_MILLIS;
    this.recentMillis *= isShort
      ? 1 - (Math.LN2 / HALF_LIFE_MILLIS) * passedMillis
      : 2 ** (-passedMillis / HALF_LIFE_MILLIS);
    this.seenMillis = nowMillis;
  }
}

/** What new clients of each address have used lately, all of them together. */
export class Newcomers {
  private readonly byAddress = new Map<string, UsedTime>();
  private mostAddresses = FEW_ADDRESSES;

  constructor(private readonly nowMillis: () => number) {}

  of(address: string): UsedTime {
    const known = this.byAddress.get(address);
    if (known) return known;
    if (this.byAddress.size >= this.mostAddresses) this.forget();
    const used = new UsedTime(this.nowMillis());
    this.byAddress.set(address, used);
    return used;
  }

  private forget(): void {
    const nowMillis = this.nowMillis();
    for (const [address, used] of this.byAddress)
      if (used.millisAt(nowMillis) < FORGOTTEN_BELOW_MILLIS) this.byAddress.delete(address);
    this.mostAddresses = Math.max(FEW_ADDRESSES, 2 * this.byAddress.size);
  }
}
