// Gives those who are counted the places of a fixed number of counters.

export class CounterSlots {
  /** The one that was asked for longest ago comes first. */
  private readonly slots = new Map<string | number, number>();

  /**
   * @param isFree whether nothing is counted in a slot.
   * @param kept `kept`: when no slot is free, whoever is new is counted in the last one, which others may have too;
   * `reused`: the slot that was asked for longest ago is given away.
   */
  constructor(
    private readonly count: number,
    private readonly isFree: (slot: number) => boolean,
    private readonly kept: 'kept' | 'reused',
  ) {}

  of(key: string | number): number {
    const slot = this.slots.get(key) ?? this.freeSlot();
    if (slot === undefined) return this.count - 1;
    this.slots.delete(key);
    this.slots.set(key, slot);
    return slot;
  }

  /** Undefined when everybody keeps a slot; the last one is given to nobody alone. */
  private freeSlot(): number | undefined {
    if (this.slots.size < this.count - 1) return this.slots.size;
    for (const [key, slot] of this.slots) if (this.isFree(slot)) return this.release(key, slot);
    const [first] = this.slots;
    return this.kept === 'kept' || !first ? undefined : this.release(...first);
  }

  private release(key: string | number, slot: number): number {
    this.slots.delete(key);
    return slot;
  }
}
