// Who has connected and said nothing yet: of one address, so many are listened to at once, in turns. Else hundreds who speak
// at the same moment would be read in one turn of the event loop: each first reading takes a quarter of a millisecond.

export const MOST_LISTENED_TO = 16;
/** Who has been silent for one to two such rounds lets the next who waits be listened to. */
export const ROUND_MILLIS = 10;

/** Calls a function later; returns how to call it off. */
type After = (millis: number, call: () => void) => () => void;

const systemAfter: After = (millis, call) => {
  const timer = setTimeout(call, millis);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Someone who has not spoken. */
export interface Newcomer {
  /** Begins to read from it. */
  listen(): void;
  /** Reads nothing from it until `listen` is called again. */
  ignore(): void;
  /** Whether it waits for this side, and keeps its place. */
  isWaiting?(): boolean;
}

/** The newcomers of one address. */
class Newcomers {
  /** Each with whether a round has begun since it is listened to. */
  private readonly listenedTo = new Map<Newcomer, boolean>();
  private readonly waiting = new Set<Newcomer>();
  private callOff: (() => void) | undefined;

  constructor(
    private readonly after: After,
    private readonly most: number,
  ) {}

  get isEmpty(): boolean {
    return this.listenedTo.size === 0 && this.waiting.size === 0;
  }

  add(newcomer: Newcomer): void {
    this.waiting.add(newcomer);
    this.next();
  }

  remove(newcomer: Newcomer): void {
    this.waiting.delete(newcomer);
    this.listenedTo.delete(newcomer);
    this.next();
  }

  private next(): void {
    for (const newcomer of this.waiting) {
      if (this.listenedTo.size >= this.most) break;
      this.waiting.delete(newcomer);
      this.listenedTo.set(newcomer, false);
      newcomer.listen();
    }
    if (this.waiting.size > 0) this.callOff ??= this.after(ROUND_MILLIS, this.round);
    else {
      this.callOff?.();
      this.callOff = undefined;
    }
  }

  private readonly round = (): void => {
    this.callOff = undefined;
    for (const [newcomer, isOver] of [...this.listenedTo]) {
      this.listenedTo.set(newcomer, true);
      if (!isOver || this.waiting.size === 0 || newcomer.isWaiting?.()) continue;
      this.listenedTo.delete(newcomer);
      newcomer.ignore();
      this.waiting.add(newcomer);
    }
    this.next();
  };
}

export class Doorway {
  private readonly byAddress = new Map<string, Newcomers>();

  /** @param most how many of an address are listened to at once. */
  constructor(
    private readonly after: After = systemAfter,
    private readonly most = MOST_LISTENED_TO,
  ) {}

  /**
   * Listens to a newcomer now, or when it is its turn.
   * @returns what to call once it has spoken or gone.
   */
  enter(address: string, newcomer: Newcomer): () => void {
    const newcomers = this.byAddress.get(address) ?? new Newcomers(this.after, this.most);
    this.byAddress.set(address, newcomers);
    newcomers.add(newcomer);
    return () => {
      newcomers.remove(newcomer);
      if (newcomers.isEmpty && this.byAddress.get(address) === newcomers) this.byAddress.delete(address);
    };
  }
}
