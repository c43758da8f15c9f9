// Simulation times at which the server wants to be asked: for a read once, for an event on its own grid. Trick: EventProcessor

/** A condition as the server sends it: a job or function of the simulation by name, or an expression as plain data. */
export type Condition = { readonly call: string } | { readonly expression: unknown };

/** What a condition is: whether it holds, why its job has failed, or null when only the server can say. */
export type Decision = boolean | string | null;

export interface Hold {
  /** Chosen by the server; a hold takes the place of an earlier one of its id. */
  readonly id: number;
  /** Simulation time of a read in tics. An event begins at the start of the next frame. */
  readonly atTics?: number | undefined;
  /** Tics between the times of an event: 0 for time 0 alone, Infinity for the end of the run alone. */
  readonly everyTics?: number | undefined;
  /** The server is asked only when not all of them are false; always when they are left out. */
  readonly conditions?: readonly (() => Decision)[] | undefined;
  /** Whether a client wants it; the simulation waits for clients for a bounded share of its time. */
  readonly isClients?: boolean | undefined;
}

/** Why a hold is answered: its time has come, with what its conditions are; or it has no time any more, or has been replaced. */
export type HoldEnd = readonly Decision[] | 'over' | undefined;
export type HoldAnswer = (asked: HoldEnd) => void;

export class QueuedHold {
  /** Infinity for the end of the run, and while it waits for a frame to begin with. */
  nextTics = Number.POSITIVE_INFINITY;
  /** Holds of one time: reads first, then in the order in which they came to that time. */
  order = 0;
  /** The next frame after this time begins the grid. */
  beginsAfterTics: number | undefined;
  /** Whether an event has had its only time. */
  isOver = false;

  constructor(
    readonly hold: Hold,
    private answering: HoldAnswer | undefined,
  ) {}

  get isRead(): boolean {
    return this.hold.everyTics === undefined;
  }
  get isAtEnd(): boolean {
    return this.hold.everyTics === Number.POSITIVE_INFINITY;
  }
  /** Whether the server can be asked: it has not said yet what comes after its last answer. */
  get isLate(): boolean {
    return this.answering === undefined;
  }

  answer(asked: HoldEnd): void {
    const { answering } = this;
    this.answering = undefined;
    answering?.(asked);
  }

  isBefore(other: QueuedHold): boolean {
    if (this.nextTics !== other.nextTics) return this.nextTics < other.nextTics;
    return this.isRead === other.isRead ? this.order < other.order : this.isRead;
  }
}

export class HoldQueue {
  private readonly byId = new Map<number, QueuedHold>();
  /** Those that have a time, sorted. */
  private readonly sorted: QueuedHold[] = [];
  /** Events that begin with the next frame. */
  private readonly beginning = new Set<QueuedHold>();
  private lastOrder = 0;

  has(id: number): boolean {
    return this.byId.has(id);
  }

  /** The next time within frames or at their start; Infinity when there is none. */
  get nextTics(): number {
    return this.sorted[0]?.nextTics ?? Number.POSITIVE_INFINITY;
  }

  /** Adds a hold, or changes an event's, which keeps its grid. @param nowTics negative before the start of the run. */
  set(hold: Hold, answer: HoldAnswer, nowTics: number): void {
    const added = new QueuedHold(hold, answer);
    const { order, nextTics, beginsAfterTics = nowTics, isOver } = this.byId.get(hold.id) ?? added;
    this.delete(hold.id);
    this.byId.set(hold.id, added);
    Object.assign(added, { order, isOver });
    if (added.isRead) this.insert(added, hold.atTics ?? nowTics);
    else if (nextTics < Number.POSITIVE_INFINITY) this.place(added, nextTics);
    else if (!isOver && !added.isAtEnd) this.begin(added, beginsAfterTics);
  }

  /** Removes a hold, which is answered. */
  delete(id: number): void {
    const known = this.byId.get(id);
    if (!known) return;
    this.byId.delete(id);
    this.take(known);
    known.answer(undefined);
  }

  /** Begins at the start of a frame what has come after the start of the one before. */
  beginFrame(timeTics: number): void {
    for (const held of this.beginning) {
      if ((held.beginsAfterTics as number) >= timeTics) continue;
      this.beginning.delete(held);
      held.beginsAfterTics = undefined;
      if (held.hold.everyTics !== 0 || timeTics === 0) this.insert(held, timeTics);
      else {
        held.isOver = true;
        held.answer('over');
      }
    }
  }

  /** The first hold whose time has come, if any; an event moves to its next time. */
  first(timeTics: number): QueuedHold | undefined {
    const [first] = this.sorted;
    return first && first.nextTics <= timeTics ? first : undefined;
  }

  /** Moves an event to its first later time, if it has one, and removes a read. */
  advance(held: QueuedHold, timeTics: number): void {
    const { nextTics, hold } = held;
    const { everyTics = 0, id } = hold;
    this.take(held);
    if (held.isRead) this.byId.delete(id);
    else if (everyTics === 0) held.isOver = true;
    else this.insert(held, nextTics + everyTics * (1 + Math.floor((timeTics - nextTics) / everyTics)));
  }

  /** The events beside a job that runs at the end of the run; each once. */
  takeLast(): QueuedHold[] {
    const last = [...this.byId.values()].filter(({ isAtEnd, isOver }) => isAtEnd && !isOver);
    for (const held of last) held.isOver = true;
    return last;
  }

  /** Begins later events again with the frame at this time, because simulation time has changed. */
  restartAt(timeTics: number): void {
    for (const held of [...this.sorted]) {
      if (held.isRead || held.nextTics <= timeTics) continue;
      this.take(held);
      this.begin(held, timeTics - 1);
    }
  }

  private begin(held: QueuedHold, afterTics: number): void {
    held.beginsAfterTics = afterTics;
    held.nextTics = Number.POSITIVE_INFINITY;
    this.beginning.add(held);
  }

  private insert(held: QueuedHold, timeTics: number): void {
    held.order = ++this.lastOrder;
    this.place(held, timeTics);
  }

  private place(held: QueuedHold, timeTics: number): void {
    held.nextTics = timeTics;
    if (timeTics === Number.POSITIVE_INFINITY) return;
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] as QueuedHold).isBefore(held)) low = middle + 1;
      else high = middle;
    }
    this.sorted.splice(low, 0, held);
  }

  private take(held: QueuedHold): void {
    this.beginning.delete(held);
    const at = this.sorted[0] === held ? 0 : this.sorted.indexOf(held);
    if (at >= 0) this.sorted.splice(at, 1);
    held.nextTics = Number.POSITIVE_INFINITY;
  }
}
