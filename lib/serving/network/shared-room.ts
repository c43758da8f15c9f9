// Room that all share for what is not complete: when it is full, one of the network that holds most gives way.

/** What one network holds. */
interface Holder<T> {
  /** The size of each, those begun first in front. */
  readonly sizes: Map<T, number>;
  total: number;
}

export class SharedRoom<T> {
  private readonly holders = new Map<string, Holder<T>>();
  private total = 0;

  /** What all hold together. */
  get held(): number {
    return this.total;
  }

  /** @param most room for all, in bytes or as a number of clients. */
  constructor(private readonly most: number) {}

  /** Sets how much room something takes; with 0 it is forgotten. */
  set(one: T, network: string, size: number): void {
    const holder = this.holders.get(network) ?? { sizes: new Map<T, number>(), total: 0 };
    const added = size - (holder.sizes.get(one) ?? 0);
    if (size > 0) holder.sizes.set(one, size);
    else holder.sizes.delete(one);
    holder.total += added;
    this.total += added;
    if (holder.sizes.size > 0) this.holders.set(network, holder);
    else this.holders.delete(network);
  }

  /**
   * Who gives way while there is too little room: of the network that holds most, the one begun first. So one
   * network's many end nobody else's. Of networks that hold as much, the one that came last.
   */
  get nextToGo(): T | undefined {
    if (this.total <= this.most) return undefined;
    let largest: Holder<T> | undefined;
    for (const holder of this.holders.values()) if (!largest || holder.total >= largest.total) largest = holder;
    const [first] = largest?.sizes.keys() ?? [];
    return first;
  }
}
