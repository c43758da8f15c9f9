// What one client uses of the server: what it holds until it lets go, and the computing time of the last moments.
import type { Clock } from './clock.js';

/** What a client may hold; each is counted from when it is taken until it is given back. */
export interface Holdings {
  /** Subscriptions and watches. */
  readonly subscriptions: number;
  /** Waits and polls that have not been answered. */
  readonly parked: number;
  /** Bytes of names, lists, events and reads that are kept for it. */
  readonly keptBytes: number;
  /** Bytes of answers that it has not taken. */
  readonly unreadBytes: number;
  /** Values a second that its subscriptions ask for. */
  readonly valuesPerSecond: number;
}

export type Holding = keyof Holdings;

/** What one client may hold at most, and all of them together. */
export interface Bound {
  readonly each: number;
  readonly all: number;
}

export type Bounds = Readonly<Record<Holding, Bound>>;

const MIB = 1024 * 1024;

export const HOLDINGS: readonly Holding[] = ['subscriptions', 'parked', 'keptBytes', 'unreadBytes', 'valuesPerSecond'];

/** No honest client comes near its own; all together fit into a process of the usual size. */
export const DEFAULT_BOUNDS: Bounds = {
  subscriptions: { each: 5_000, all: 10_000 },
  parked: { each: 1_000, all: 10_000 },
  keptBytes: { each: 16 * MIB, all: 256 * MIB },
  unreadBytes: { each: 32 * MIB, all: 256 * MIB },
  valuesPerSecond: { each: 50_000_000, all: 100_000_000 },
};

const WORDS: Readonly<Record<Holding, string>> = {
  subscriptions: 'subscriptions',
  parked: 'waits that are not over',
  keptBytes: 'bytes of names, lists, events and reads',
  unreadBytes: 'bytes of answers that it has not read',
  valuesPerSecond: 'values a second',
};

/** A client asked for more than it may hold; nothing has been taken. */
export class OverBoundError extends Error {
  override readonly name = 'OverBoundError';

  constructor(
    readonly holding: Holding,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** Computing time is forgotten by half in this time. */
const HALF_LIFE_MILLIS = 500;

export class Account {
  private readonly held: Record<Holding, number> = {
    subscriptions: 0,
    parked: 0,
    keptBytes: 0,
    unreadBytes: 0,
    valuesPerSecond: 0,
  };
  private recentMillis = 0;
  private seenMillis: number;
  private isClosed = false;

  /** @param name of the client, for the log: its connection or its address. */
  constructor(
    readonly name: string,
    private readonly ledger: Ledger,
  ) {
    this.seenMillis = ledger.nowMillis();
  }

  /** What it holds now. */
  holds(holding: Holding): number {
    return this.held[holding];
  }

  /** Takes so much more. Throws an OverBoundError, and takes nothing, when that is more than this client may hold. */
  take(holding: Holding, amount = 1): void {
    if (this.isClosed) return;
    this.ledger.admit(this, holding, amount);
    this.held[holding] += amount;
  }

  /** Gives back what was taken. */
  give(holding: Holding, amount = 1): void {
    if (this.isClosed) return;
    this.held[holding] -= amount;
    this.ledger.returned(holding, amount);
  }

  /** Takes or gives back the difference to what was held for the same thing before. Throws an OverBoundError. */
  change(holding: Holding, before: number, now: number): void {
    if (now > before) this.take(holding, now - before);
    else if (now < before) this.give(holding, before - now);
  }

  /** Notes computing time that was used for this client. */
  spend(millis: number): void {
    this.recentMillis = this.usedMillis + millis;
  }

  /** Computing time of the last moments: what is older counts less, and after some seconds nothing. */
  get usedMillis(): number {
    const nowMillis = this.ledger.nowMillis();
    const aged = this.recentMillis * 2 ** ((this.seenMillis - nowMillis) / HALF_LIFE_MILLIS);
    this.recentMillis = aged;
    this.seenMillis = nowMillis;
    return aged;
  }

  /** The client has gone: all that it held is free. */
  close(): void {
    if (this.isClosed) return;
    for (const [holding, amount] of Object.entries(this.held)) this.ledger.returned(holding as Holding, amount);
    this.isClosed = true;
  }
}

/** All accounts of a server: what is held in all, and how often somebody was refused more. */
export class Ledger {
  private readonly total: Record<Holding, number> = {
    subscriptions: 0,
    parked: 0,
    keptBytes: 0,
    unreadBytes: 0,
    valuesPerSecond: 0,
  };
  private readonly refused: Record<Holding, number> = { ...this.total };

  /** @param heldBack hears of each client that is refused more; the sentence is the client's. */
  constructor(
    private readonly clock: Clock,
    readonly bounds: Bounds = DEFAULT_BOUNDS,
    private readonly heldBack: (client: string, sentence: string) => void = () => undefined,
  ) {}

  open(name: string): Account {
    return new Account(name, this);
  }

  nowMillis(): number {
    return this.clock.nowMillis();
  }

  /** Held by all clients together. */
  held(holding: Holding): number {
    return this.total[holding];
  }

  /** How often a client was refused more. */
  refusals(holding: Holding): number {
    return this.refused[holding];
  }

  /**
   * Counts what an account takes. A client may hold as much as is left for the others: one alone gets half of all,
   * and however many there are, something is left for the next. Throws an OverBoundError.
   */
  admit(account: Account, holding: Holding, amount: number): void {
    const { each, all } = this.bounds[holding];
    const wanted = account.holds(holding) + amount;
    const freeAfter = all - this.total[holding] - amount;
    if (wanted <= each && wanted <= freeAfter) {
      this.total[holding] += amount;
      return;
    }
    this.refused[holding]++;
    const sentence =
      wanted > each
        ? `a client may have ${each} ${WORDS[holding]}`
        : `this server has too few ${WORDS[holding]} left for this client to have ${wanted}`;
    this.heldBack(account.name, sentence);
    throw new OverBoundError(holding, sentence);
  }

  returned(holding: Holding, amount: number): void {
    this.total[holding] -= amount;
  }
}
