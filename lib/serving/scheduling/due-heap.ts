// A heap of entries by due time, earliest first; any entry can be removed.

export interface Due {
  dueMillis: number;
  /** Index in the heap, or -1 when not in it. Only the heap sets it. */
  place: number;
  /** Decides which of two entries with the same due time comes first. */
  readonly order: number;
}

const isBefore = (a: Due, b: Due): boolean =>
  a.dueMillis < b.dueMillis || (a.dueMillis === b.dueMillis && a.order < b.order);

export class DueHeap<T extends Due> {
  private readonly heap: T[] = [];

  get size(): number {
    return this.heap.length;
  }

  get first(): T | undefined {
    return this.heap[0];
  }

  add(entry: T): void {
    this.heap.push(entry);
    this.rise(this.heap.length - 1, entry);
  }

  /** Removes an entry; does nothing when it is not in the heap. */
  remove(entry: T): void {
    const { place } = entry;
    if (place < 0) return;
    entry.place = -1;
    const last = this.heap.pop() as T;
    if (last !== entry) this.settle(place, last);
  }

  /** Restores the heap's order after the due time of an entry has changed. */
  reorder(entry: T): void {
    if (entry.place >= 0) this.settle(entry.place, entry);
  }

  private settle(place: number, entry: T): void {
    if (place > 0 && isBefore(entry, this.heap[(place - 1) >> 1] as T)) this.rise(place, entry);
    else this.sink(place, entry);
  }

  private rise(from: number, entry: T): void {
    let place = from;
    while (place > 0) {
      const parent = this.heap[(place - 1) >> 1] as T;
      if (!isBefore(entry, parent)) break;
      this.put(place, parent);
      place = (place - 1) >> 1;
    }
    this.put(place, entry);
  }

  private sink(from: number, entry: T): void {
    const { heap } = this;
    let place = from;
    for (let child = 2 * place + 1; child < heap.length; child = 2 * place + 1) {
      if (child + 1 < heap.length && isBefore(heap[child + 1] as T, heap[child] as T)) child++;
      const least = heap[child] as T;
      if (!isBefore(least, entry)) break;
      this.put(place, least);
      place = child;
    }
    this.put(place, entry);
  }

  private put(place: number, entry: T): void {
    this.heap[place] = entry;
    entry.place = place;
  }
}
