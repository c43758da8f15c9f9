// A queue in which each network has its turn, however many of another wait.

export class NetworkRounds<T> {
  /** Of each network, in its order; the network whose turn is next is the first. */
  private readonly waiting = new Map<string, Set<T>>();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(network: string, one: T): void {
    const ofNetwork = this.waiting.get(network) ?? new Set();
    this.waiting.set(network, ofNetwork);
    if (ofNetwork.has(one)) return;
    ofNetwork.add(one);
    this.count++;
  }

  delete(network: string, one: T): void {
    const ofNetwork = this.waiting.get(network);
    if (!ofNetwork?.delete(one)) return;
    this.count--;
    if (ofNetwork.size === 0) this.waiting.delete(network);
  }

  /** Takes the first of the network whose turn it is. */
  takeNext(): T | undefined {
    for (const [network, ofNetwork] of this.waiting) {
      const [one] = ofNetwork as Iterable<T>;
      this.waiting.delete(network);
      ofNetwork.delete(one as T);
      if (ofNetwork.size > 0) this.waiting.set(network, ofNetwork);
      this.count--;
      return one;
    }
    return undefined;
  }

  /** So many that are wanted at most: the first of each network, then the second of each, and so on. Takes none. */
  first(most: number, isWanted: (one: T) => boolean): T[] {
    const chosen: T[] = [];
    let left: Iterator<T>[] = [];
    // Thousands of networks may have nobody that is wanted.
    for (const ofNetwork of this.waiting.values()) {
      if (chosen.length === most) return chosen;
      const all = ofNetwork.values();
      if (chooseNext(all, isWanted, chosen)) left.push(all);
    }
    while (left.length > 0 && chosen.length < most)
      left = left.filter((all) => chosen.length < most && chooseNext(all, isWanted, chosen));
    return chosen;
  }
}

/** Adds the next that is wanted to those chosen; false when there is none. */
function chooseNext<T>(all: Iterator<T>, isWanted: (one: T) => boolean, chosen: T[]): boolean {
  for (let next = all.next(); !next.done; next = all.next()) {
    if (!isWanted(next.value)) continue;
    chosen.push(next.value);
    return true;
  }
  return false;
}
