// The account of one client: what it holds now, and how much computing time it has used lately.
import { PART_OF_AN_ADDRESS } from '../model/fair-share.js';
import { hostOf } from '../network/address.js';
import { networkOf } from '../network/network.js';
import type { Clock } from './clock.js';
import {
  type Bounds,
  type Counted,
  DEFAULT_BOUNDS,
  HOLDINGS,
  type Holding,
  LASTING,
  nothing,
  WORDS,
} from './holdings.js';
import type { Maker } from './memory-pace.js';
import { type AddressUse, AddressUses, UsedTime } from './used-time.js';

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

/** Whether the client could have what `take` takes; the account is unchanged when it could not. */
export function isWithinBounds(take: () => void): boolean {
  try {
    take();
    return true;
  } catch (error) {
    if (error instanceof OverBoundError) return false;
    throw error;
  }
}

/** How little a client seems to wait for its answers: `none` waits, who has ended may, who sends far ahead does not. */
export const Patience = { none: 0, hasEnded: 1, farAhead: 2 } as const;
export type Patience = (typeof Patience)[keyof typeof Patience];

/** The clients of one address, what they have used and what they hold together. */
interface Neighbours {
  readonly network: string;
  readonly use: AddressUse;
  readonly held: Record<Holding, number>;
  accounts: number;
}

/** A client is new for this long, or until so many pieces of its work have been short. */
const NEW_MILLIS = 5000;
const KNOWN_PIECES = 8;
const SHORT_PIECE_MILLIS = 1;
/** Who has not waited for its answers is taken not to for so long: its next requests may not have been read yet. */
const AHEAD_MILLIS = 2_000;
/** How often the log says that somebody computes much. */
const COMES_LAST_EVERY_MILLIS = 10_000;
/** Computing time of new clients counts so many times when clients are ordered. */
const NEW_WEIGHT = 8;

/** Whose pieces take less than this on average asks short questions: others hardly wait for one more. */
const SHORT_QUESTION_MILLIS = 0.4;
/** Weight of the latest piece in that average. */
const LATEST_SHARE = 1 / 32;
/** A piece counts with so much at most: it may have taken longer because memory was collected. */
const MOST_OF_PIECE_MILLIS = 2;

export class Account {
  private readonly held: Record<Holding, number> = nothing();
  private readonly used: UsedTime;
  private readonly sinceMillis: number;
  /** Used by all new clients of the address; undefined when this one is new no longer. */
  private newcomers: UsedTime | undefined;
  /** Its work comes after that of all who are less patient. */
  patience: Patience = Patience.none;
  private pieces = 0;
  private totalMillis = 0;
  /** How long its pieces take on average; who has asked nothing yet must show that it asks little. */
  private pieceMillis = SHORT_PIECE_MILLIS;
  private aheadMillis = Number.NEGATIVE_INFINITY;
  private closed = false;
  private readonly endings = new Set<() => void>();

  /**
   * @param name the client's name in the log: its connection or its address.
   * @param neighbours the clients of its address, or of its network of IPv6.
   * @param payer whose computing time is used, if it is not its own.
   */
  constructor(
    readonly name: string,
    readonly neighbours: Neighbours,
    private readonly ledger: Ledger,
    private readonly payer?: Account,
  ) {
    this.sinceMillis = ledger.nowMillis();
    this.used = new UsedTime(this.sinceMillis);
    this.newcomers = neighbours.use.young;
  }

  get nowMillis(): number {
    return this.ledger.nowMillis();
  }

  /** Whether the client has gone. */
  get isClosed(): boolean {
    return this.closed;
  }

  /** Its address, or its network of IPv6. */
  get network(): string {
    return this.neighbours.network;
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

  /** As `take`, but returns whether the client may hold that much. */
  tryTake(holding: Holding, amount = 1): boolean {
    return isWithinBounds(() => this.take(holding, amount));
  }

  /** Whether it could take an amount now; a refusal is neither counted nor logged. */
  canTake(holding: Holding, amount: number): boolean {
    return this.isClosed || this.ledger.refusal(this, holding, amount) === undefined;
  }

  /** Gives back an amount that was taken. */
  give(holding: Holding, amount = 1): void {
    if (this.isClosed) return;
    this.held[holding] -= amount;
    this.ledger.returned(this, holding, amount);
  }

  /** Replaces the amount held for one thing by another amount. Throws an OverBoundError, and changes nothing. */
  change(holding: Holding, before: number, now: number): void {
    if (now > before) this.take(holding, now - before);
    else if (now < before) this.give(holding, before - now);
  }

  /**
   * Adds the computing time of one piece of work for this client.
   * @param nowMillis the present time, of whoever knows it.
   * @param ownMillis the time without what the piece causes.
   * @param isAsked whether the client has asked for it, and the server does not send it by itself.
   */
  spend(millis: number, nowMillis = this.nowMillis, ownMillis = millis, isAsked = true): void {
    if (this.payer) {
      this.payer.spend(millis, nowMillis, ownMillis, isAsked);
      return;
    }
    this.used.spend(millis, nowMillis);
    this.ledger.computedMillis += millis;
    if (isAsked) this.pieceMillis += (Math.min(MOST_OF_PIECE_MILLIS, ownMillis) - this.pieceMillis) * LATEST_SHARE;
    // A piece of a tenth of a slice counts as a hundredth: others hardly wait for it.
    this.neighbours.use.all.spend(Math.min(SHORT_PIECE_MILLIS, ownMillis) ** 2, nowMillis);
    if (!this.newcomers) return;
    this.newcomers.spend(millis, nowMillis);
    this.pieces++;
    this.totalMillis += millis;
    if (this.pieces >= KNOWN_PIECES && this.totalMillis < this.pieces * SHORT_PIECE_MILLIS) this.newcomers = undefined;
  }

  /**
   * Computing time used lately: older time counts less, and after some seconds it counts nothing. For a new client it
   * is the time of all new clients of its address, so that connecting anew gives nobody an advantage.
   */
  get usedMillis(): number {
    if (this.payer) return this.payer.usedMillis;
    const { nowMillis } = this;
    if (this.newcomers && !this.isYoung(nowMillis)) this.newcomers = undefined;
    return Math.max(this.used.millisAt(nowMillis), this.newcomers?.millisAt(nowMillis) ?? 0);
  }

  /** Whether it is known to ask short questions only. */
  get asksShortQuestions(): boolean {
    if (this.payer) return this.payer.asksShortQuestions;
    return !this.newcomers && this.pieceMillis < SHORT_QUESTION_MILLIS;
  }

  /** Notes that it asks for more before it is answered. */
  noteAhead(): void {
    if (this.payer) this.payer.noteAhead();
    else this.aheadMillis = this.nowMillis;
  }

  /**
   * Whether it has not waited for its answers of late. Its work counts as long: two hundred such clients would always have
   * another short piece.
   */
  get isAhead(): boolean {
    if (this.payer) return this.payer.isAhead;
    return this.nowMillis - this.aheadMillis < AHEAD_MILLIS;
  }

  /** What all clients of its address have used in the last minute or so; short pieces count less than their time. */
  ofAddressMillis(nowMillis: number): number {
    return this.payer ? this.payer.ofAddressMillis(nowMillis) : this.neighbours.use.all.millisAt(nowMillis);
  }

  /** Who makes what its blocks make: at first all new clients of its address together, later this client. */
  get maker(): Maker {
    if (this.payer) return this.payer.maker;
    return this.isNew ? (this.neighbours.use.young as Maker) : this;
  }

  /** Whether it has come in the last seconds. */
  get isNew(): boolean {
    return this.payer ? this.payer.isNew : this.isYoung(this.nowMillis);
  }

  private isYoung(nowMillis: number): boolean {
    return nowMillis - this.sinceMillis < NEW_MILLIS;
  }

  /**
   * The key by which clients are ordered: the lower, the earlier. Many new clients at once soon come after known ones.
   */
  get rankMillis(): number {
    if (this.payer) return this.payer.rankMillis;
    const { usedMillis } = this;
    return this.newcomers ? NEW_WEIGHT * usedMillis : usedMillis;
  }

  /** Notes that its work waits for that of others, because it has used so much computing time. */
  comesLast(): void {
    this.ledger.comesLast(this.payer?.name ?? this.name);
  }

  /** Calls `end` once, when the account closes, unless the returned function is called before. */
  onClose(end: () => void): () => void {
    const ending = (): void => end();
    this.endings.add(ending);
    return () => this.endings.delete(ending);
  }

  /** The client has gone: what it held ends, and is free again. */
  close(): void {
    if (this.closed) return;
    for (const holding of HOLDINGS) this.ledger.returned(this, holding, this.held[holding]);
    this.closed = true;
    for (const end of this.endings) end();
    this.endings.clear();
    this.ledger.closed(this);
  }
}

/** All accounts of a server: the totals that clients hold, and how often clients were refused more. */
export class Ledger {
  private readonly total: Record<Holding, number> = nothing();
  private readonly refused: Record<Holding, number> = nothing();
  private readonly uses: AddressUses;
  private readonly shown = new Map<string, Counted>();
  private readonly neighbours = new Map<string, Neighbours>();
  /** Computing time of all clients so far. */
  computedMillis = 0;
  private cameLastCount = 0;
  private cameLastMillis = Number.NEGATIVE_INFINITY;

  /** @param heldBack called when a client is refused more or comes last, with a sentence about that client. */
  constructor(
    private readonly clock: Clock,
    readonly bounds: Bounds = DEFAULT_BOUNDS,
    private readonly heldBack: (client: string, sentence: string) => void = () => undefined,
  ) {
    this.uses = new AddressUses(() => clock.nowMillis());
  }

  /**
   * @param name an address, or an address with a port, then with IPv6 in brackets.
   * @param payer whose computing time the account uses. Default: its own.
   * @param address with whose clients the account shares. Default: that of the name.
   */
  open(name: string, payer?: Account, address = hostOf(name)): Account {
    const network = networkOf(address);
    const known = this.neighbours.get(network);
    const neighbours = known ?? { network, use: this.uses.of(network), held: nothing(), accounts: 0 };
    this.neighbours.set(network, neighbours);
    neighbours.accounts++;
    return new Account(name, neighbours, this, payer);
  }

  nowMillis(): number {
    return this.clock.nowMillis();
  }

  /** Shows what is counted elsewhere among the figures of the server. */
  show(what: string, counted: Counted): void {
    this.shown.set(what, counted);
  }

  /** What clients hold, and how often one was refused more: of every holding, and of what is shown. */
  get figures(): ReadonlyMap<string, Counted> {
    const own = HOLDINGS.map((what) => [what, { held: this.total[what], refusals: this.refused[what] }] as const);
    return new Map<string, Counted>([...own, ...this.shown]);
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
   * of the total, and with any number of clients the next one still gets something. (Of a total of one, the first client
   * has it.) The clients of an address may hold
   * three quarters, each beside others no more of what lasts than it leaves free of that. Throws an OverBoundError.
   */
  admit(account: Account, holding: Holding, amount: number): void {
    const sentence = this.refusal(account, holding, amount);
    if (sentence === undefined) {
      this.total[holding] += amount;
      account.neighbours.held[holding] += amount;
      return;
    }
    this.refused[holding]++;
    this.heldBack(account.name, sentence);
    throw new OverBoundError(holding, sentence);
  }

  /** Why an account may not have an amount more; undefined when it may. */
  refusal(account: Account, holding: Holding, amount: number): string | undefined {
    const { each, all } = this.bounds[holding];
    const wanted = account.holds(holding) + amount;
    if (wanted > each) return `a client may have ${each} ${WORDS[holding]}`;
    // Of a total of one, an address has that one.
    const ofAddress = Math.max(1, PART_OF_AN_ADDRESS * all);
    const together = account.neighbours.held[holding] + amount;
    const isShared = LASTING.has(holding) && together > wanted;
    if (together + (isShared ? wanted : 0) > ofAddress)
      return `the clients of an address may have ${Math.floor(ofAddress)} ${WORDS[holding]} together${isShared ? ', each no more than it leaves for others' : ''}`;
    const left = all - this.total[holding] - amount;
    // Nobody else could have the one of a total of one.
    const isOnly = all === 1 && wanted === 1 && left === 0;
    if (wanted <= left || isOnly) return undefined;
    return `this server has too few ${WORDS[holding]} left for this client to have ${wanted}`;
  }

  /** How many pieces of work have waited for that of others because their client had computed so much. */
  get cameLast(): number {
    return this.cameLastCount;
  }

  comesLast(client: string): void {
    this.cameLastCount++;
    const now = this.nowMillis();
    if (now - this.cameLastMillis < COMES_LAST_EVERY_MILLIS) return;
    this.cameLastMillis = now;
    this.heldBack(client, 'it has computed most of the last second, so its work comes after that of others');
  }

  returned({ neighbours }: Account, holding: Holding, amount: number): void {
    this.total[holding] -= amount;
    neighbours.held[holding] -= amount;
  }

  closed({ neighbours }: Account): void {
    if (--neighbours.accounts === 0) this.neighbours.delete(neighbours.network);
  }
}
