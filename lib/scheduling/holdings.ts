// What clients may hold, and how much of it.

/** What a client may hold. Each amount is counted from when it is taken until it is given back. */
export interface Holdings {
  /** Subscriptions and watches. */
  readonly subscriptions: number;
  /** Waits and polls that the server has not answered yet. */
  readonly parked: number;
  /** Bytes of names, lists, events, streams and requests that the server keeps for the client. */
  readonly keptBytes: number;
  /** Bytes of answers that the client has not read. */
  readonly unreadBytes: number;
  /** Values per second that its subscriptions ask for. */
  readonly valuesPerSecond: number;
  /** Variables whose past the server keeps for its subscriptions. */
  readonly historySeries: number;
  /** Bytes of Trick text that were read while a block of the client runs. */
  readonly aheadBytes: number;
  /** Bytes of texts and lists that blocks have made which have not ended. */
  readonly blockBytes: number;
  /** Changes by `var/set` that the simulation has not answered yet. */
  readonly changes: number;
  /** Reads that make frames of a large state carry much, from when they wait for their turn. */
  readonly largeReads: number;
}

export type Holding = keyof Holdings;

/** The most that one client may hold, and that all clients together may hold. */
export interface Bound {
  readonly each: number;
  readonly all: number;
}

/** What all clients hold of something, and how often one was refused more. */
export interface Counted {
  readonly held: number;
  readonly refusals: number;
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
  'aheadBytes',
  'blockBytes',
  'changes',
  'largeReads',
];

/** What lasts for as long as its client likes. Beside others of its address a client has no more of it than it leaves them. */
export const LASTING: ReadonlySet<Holding> = new Set(['subscriptions', 'parked', 'valuesPerSecond', 'historySeries']);

/** No honest client comes near its own bound, and all clients together fit into a process of the usual size. */
export const DEFAULT_BOUNDS: Bounds = {
  subscriptions: { each: 5_000, all: 10_000 },
  parked: { each: 1_000, all: 10_000 },
  keptBytes: { each: 16 * MIB, all: 256 * MIB },
  unreadBytes: { each: 32 * MIB, all: 256 * MIB },
  valuesPerSecond: { each: 20_000_000, all: 40_000_000 },
  historySeries: { each: 400, all: 800 },
  aheadBytes: { each: 0.5 * MIB, all: 64 * MIB },
  blockBytes: { each: 64 * MIB, all: 512 * MIB },
  changes: { each: 10_000, all: 40_000 },
  largeReads: { each: 64, all: 1_024 },
};

/** What a holding is, in a sentence. */
export const WORDS: Readonly<Record<Holding, string>> = {
  subscriptions: 'subscriptions',
  parked: 'waits that are not over',
  keptBytes: 'bytes of names, lists, events, streams and requests',
  unreadBytes: 'bytes of answers that it has not read',
  valuesPerSecond: 'values a second',
  historySeries: 'variables whose past is kept',
  aheadBytes: 'bytes of text ahead of a block that runs',
  blockBytes: 'bytes of texts and lists in blocks that run',
  changes: 'changes that the simulation has not answered',
  largeReads: 'large reads that are not over',
};

/** Written out, because thousands of clients may come and leave in a second. */
export const nothing = (): Record<Holding, number> => ({
  subscriptions: 0,
  parked: 0,
  keptBytes: 0,
  unreadBytes: 0,
  valuesPerSecond: 0,
  historySeries: 0,
  aheadBytes: 0,
  blockBytes: 0,
  changes: 0,
  largeReads: 0,
});
