// Room that all share for what is not complete: when it is full, one of the network that holds most gives way.

/** What one network holds. */
interface Holder<T> {
  /** Bytes of each, those begun first in front. */
  readonly bytes: Map<T, number>;
  total: number;
}

export class SharedRoom<T> {
  private readonly holders = new Map<string, Holder<T>>();
  private total = 0;

  /** What all hold together. */
  get heldBytes(): number {
    return this.total;
  }

  constructor(private readonly mostBytes: number) {}

  /** Sets how many bytes something takes; with 0 it is forgotten. */
  set(one: T, network: string, bytes: number): void {
    const holder = this.holders.get(network) ?? { bytes: new Map<T, number>(), total: 0 };
    const added = bytes - (holder.bytes.get(one) ?? 0);
    if (bytes > 0) holder.bytes.set(one, bytes);
    else holder.bytes.delete(one);
    holder.total += added;
    this.total += added;
    if (holder.bytes.size > 0) this.holders.set(network, holder);
    else this.holders.delete(network);
  }

  /**
   * Who gives way while there is too little room: of the network that holds most, the one begun first. So many of one
   * network end nobody else's. Of networks that hold as much, the one that came last.
   */
  get nextToGo(): T | undefined {
    if (this.total <= this.mostBytes) return undefined;
    let most: Holder<T> | undefined;
    for (const holder of this.holders.values()) if (!most || holder.total >= most.total) most = holder;
    const [first] = most?.bytes.keys() ?? [];
    return first;
  }
}
