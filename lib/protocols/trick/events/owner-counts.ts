// How many events each owner has, and how many conditions and actions they have together.

interface Counts {
  readonly events: number;
  readonly items: number;
}

const NONE: Counts = { events: 0, items: 0 };

export class OwnerCounts {
  private readonly owners = new Map<string, Counts>();

  of(owner: string): Counts {
    return this.owners.get(owner) ?? NONE;
  }

  /** Counts so many more, or fewer, for an owner; one who has none is forgotten. */
  add(owner: string, events: number, items: number): void {
    const before = this.of(owner);
    const now = { events: before.events + events, items: before.items + items };
    if (now.events === 0 && now.items === 0) this.owners.delete(owner);
    else this.owners.set(owner, now);
  }
}
