// Computing time that was used lately: older time counts less, and after some seconds it counts nothing.

/** Time after which used computing time counts half. */
const HALF_LIFE_MILLIS = 500;
/** The same for all clients of an address: a thousand addresses that share all the time use a millisecond each second. */
const ADDRESS_HALF_LIFE_MILLIS = 30_000;
/** In a shorter part of that used time is forgotten evenly, which is less than a thousandth off and costs less than a power. */
const SHORT_PART = 1 / 25;
/** An address whose new clients have used less time than this, and all its clients less than that, is forgotten. */
const FORGOTTEN_BELOW_MILLIS = 0.01;
const ADDRESS_FORGOTTEN_BELOW_MILLIS = 1;
/** Addresses are looked through for forgotten ones when there are more than this, and twice as many as were left. */
const FEW_ADDRESSES = 1000;

export class UsedTime {
  private recentMillis = 0;

  constructor(
    private seenMillis: number,
    private readonly halfLifeMillis = HALF_LIFE_MILLIS,
  ) {}

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
    const part = passedMillis / this.halfLifeMillis;
    this.recentMillis *= part >= 0 && part < SHORT_PART ? 1 - Math.LN2 * part : 2 ** -part;
    this.seenMillis = nowMillis;
  }
}

/** What the clients of an address have used lately. */
export interface AddressUse {
  /** Its new clients together; what they cause counts too. */
  readonly young: UsedTime;
  /** All its clients together, with a longer memory; short pieces count less than their time. */
  readonly all: UsedTime;
}

/** What each address has used lately, known for some time after its clients have gone. */
export class AddressUses {
  private readonly byAddress = new Map<string, AddressUse>();
  private mostAddresses = FEW_ADDRESSES;

  constructor(private readonly nowMillis: () => number) {}

  of(address: string): AddressUse {
    const known = this.byAddress.get(address);
    if (known) return known;
    if (this.byAddress.size >= this.mostAddresses) this.forget();
    const nowMillis = this.nowMillis();
    const use = { young: new UsedTime(nowMillis), all: new UsedTime(nowMillis, ADDRESS_HALF_LIFE_MILLIS) };
    this.byAddress.set(address, use);
    return use;
  }

  private forget(): void {
    const nowMillis = this.nowMillis();
    for (const [address, { young, all }] of this.byAddress) {
      const isLittle = all.millisAt(nowMillis) < ADDRESS_FORGOTTEN_BELOW_MILLIS;
      if (isLittle && young.millisAt(nowMillis) < FORGOTTEN_BELOW_MILLIS) this.byAddress.delete(address);
    }
    this.mostAddresses = Math.max(FEW_ADDRESSES, 2 * this.byAddress.size);
  }
}
