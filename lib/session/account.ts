// The account of one client: what it holds now, and how much computing time it has used lately.
import type { Clock } from './clock.js';

/** What a client may hold. Each amount is counted from when it is taken until it is given back. */
export interface Holdings {
  /** Subscriptions and watches. */
  readonly subscriptions: number;
  /** Waits and polls that the server has not answered yet. */
  readonly parked: number;
  /** Bytes of names, lists, events and reads that the server keeps for the client. */
  readonly keptBytes: number;
  /** Bytes of answers that the client has not read. */
  readonly unreadBytes: number;
  /** Values per second that its subscriptions ask for. */
  readonly valuesPerSecond: number;
  /** Variables whose past the server keeps for its subscriptions. */
  readonly historySeries: number;
}

export type Holding = keyof Holdings;

/** The most that one client may hold, and that all clients together may hold. */
export interface Bound {
  readonly each: number;
  readonly all: number;
}

export type Bounds = Readonly<Record<Holding, Bound>>;

const MIB = 1024 * 1024;

export const HOLDINGS: readonly Holding[] = [
  'subscriptions',
  'parked',
  'keptBytes',
  'unreadBytes',
  'valuesPerSecond',
  'historySeries',
];

/** No honest client comes near its own bound, and all clients together fit into a process of the usual size. */
export const DEFAULT_BOUNDS: Bounds = {
  subscriptions: { each: 5_000, all: 10_000 },
  parked: { each: 1_000, all: 10_000 },
  keptBytes: { each: 16 * MIB, all: 256 * MIB },
  unreadBytes: { each: 32 * MIB, all: 256 * MIB },
  valuesPerSecond: { each: 50_000_000, all: 100_000_000 },
  historySeries: { each: 400, all: 800 },
};

const WORDS: Readonly<Record<Holding, string>> = {
  subscriptions: 'subscriptions',
  parked: 'waits that are not over',
  keptBytes: 'bytes of names, lists, events and reads',
  unreadBytes: 'bytes of answers that it has not read',
  valuesPerSecond: 'values a second',
  historySeries: 'variables whose past is kept',
};

/** A client asked for more than it may hold; the account is unchanged. */
export class OverBoundError extends Error {
  override readonly name = 'OverBoundError';

  constructor(
    readonly holding: Holding,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** Time after which used computing time counts half. */
const HALF_LIFE_MILLIS = 500;

export class Account {
  private readonly held: Record<Holding, number> = {
    subscriptions: 0,
    parked: 0,
    keptBytes: 0,
    unreadBytes: 0,
    valuesPerSecond: 0,
    historySeries: 0,
  };
  private recentMillis = 0;
  private seenMillis: number;
  private isClosed = false;

  /** @param name the client's name in the log: its connection or its address. */
  constructor(
    readonly name: string,
    private readonly ledger: Ledger,
  ) {
    this.seenMillis = ledger.nowMillis();
  }

  get nowMillis(): number {
    return this.ledger.nowMillis();
  }

  /** How much of a holding the client has now. */
  holds(holding: Holding): number {
    return this.held[holding];
  }

  /** Takes an amount. Throws an OverBoundError, and takes nothing, when the client may not hold that much. */
  take(holding: Holding, amount = 1): void {
    if (this.isClosed) return;
    this.ledger.admit(this, holding, amount);
    this.held[holding] += amount;
  }

  /** Gives back an amount that was taken. */
  give(holding: Holding, amount = 1): void {
    if (this.isClosed) return;
    this.held[holding] -= amount;
    this.ledger.returned(holding, amount);
  }

  /** Replaces the amount held for one thing by another amount. Throws an OverBoundError, and changes nothing. */
  change(holding: Holding, before: number, now: number): void {
    if (now > before) this.take(holding, now - before);
    else if (now < before) this.give(holding, before - now);
  }

  /** Adds computing time that was used for this client. */
  spend(millis: number): void {
    this.recentMillis = this.usedMillis + millis;
  }

  /** Computing time used lately: older time counts less, and after some seconds it counts nothing. */
  get usedMillis(): number {
    const nowMillis = this.ledger.nowMillis();
    const aged = this.recentMillis * 2 ** ((this.seenMillis - nowMillis) / HALF_LIFE_MILLIS);
    this.recentMillis = aged;
    this.seenMillis = nowMillis;
    return aged;
  }

  /** The client has gone, so everything it held is free again. */
  close(): void {
    if (this.isClosed) return;
    for (const [holding, amount] of Object.entries(this.held)) this.ledger.returned(holding as Holding, amount);
    this.isClosed = true;
  }
}

/** All accounts of a server: the totals that clients hold, and how often clients were refused more. */
export class Ledger {
  private readonly total: Record<Holding, number> = {
    subscriptions: 0,
    parked: 0,
    keptBytes: 0,
    unreadBytes: 0,
    valuesPerSecond: 0,
    historySeries: 0,
  };
  private readonly refused: Record<Holding, number> = { ...this.total };

  /** @param heldBack called when a client is refused more, with a sentence about that client. */
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

  /** The amount that all clients together hold. */
  held(holding: Holding): number {
    return this.total[holding];
  }

  /** How often a client was refused more of a holding. */
  refusals(holding: Holding): number {
    return this.refused[holding];
  }

  /**
   * Adds an amount to an account. A client may hold as much as it leaves free for others: a single client can get half
   * of the total, and with any number of clients the next one still gets something. Throws an OverBoundError.
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
