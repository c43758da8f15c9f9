// The account of one client: what it holds now, and its share of computing time.

import { LIMITS } from '../../model/bounds/limits.js';
import { Rate, Rates } from '../../model/bounds/rate.js';
import { PART_OF_AN_ADDRESS } from '../../model/state/fair-share.js';
import { hostOf } from '../network/address.js';
import { networkOf } from '../network/network.js';
import type { Clock } from './clock.js';
import { AddressShare, ClientShare } from './fair-queue.js';
import {
  type Bounds,
  type Counted,
  DEFAULT_BOUNDS,
  GIVING_WAY,
  HOLDINGS,
  type Holding,
  LASTING,
  nothing,
} from './holdings.js';

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

/** The clients of one address: their share of computing time, and what they hold together. */
class NetworkAccounts {
  readonly share = new AddressShare();
  readonly held: Record<Holding, number> = nothing();
  readonly accounts = new Set<Account>();
  private readonly shares = new Map<string, ClientShare>();

  constructor(readonly network: string) {}

  /** The share of a connection: its requests that wait together are one client. */
  shareOf(name: string): ClientShare {
    const share = this.shares.get(name) ?? new ClientShare(this.share);
    this.shares.set(name, share);
    share.users++;
    return share;
  }

  leave(account: Account): void {
    const { name, share } = account;
    this.accounts.delete(account);
    if (!account.sharesTime && --share.users === 0) this.shares.delete(name);
  }
}

/** What one client may do so often. */
const OF_CLIENT = {
  catalogChanges: { atOnce: LIMITS.catalogChanges.each, perSecond: LIMITS.catalogChanges.each / 10 },
  seeks: { atOnce: LIMITS.seeks.each, perSecond: LIMITS.seeks.each / 2 },
};
export type ClientRate = keyof typeof OF_CLIENT;

export class Account {
  private readonly held: Record<Holding, number> = nothing();
  /** Its place among those whose jobs wait. */
  readonly share: ClientShare;
  /** Whether that place is another's. */
  readonly sharesTime: boolean;
  private readonly rates: Partial<Record<ClientRate, Rate>> = {};
  /** Ends the client's connection, for one that may give way to others; the sentence says why. */
  letGo: ((reason: string) => void) | undefined;
  private closed = false;
  private readonly endings = new Set<() => void>();

  /**
   * @param name the client's name in the log: its connection or its address.
   * @param ofNetwork the clients of its address, or of its network of IPv6.
   * @param timeOf whose computing time is used, if it is not its own.
   */
  constructor(
    readonly name: string,
    readonly ofNetwork: NetworkAccounts,
    private readonly ledger: Ledger,
    timeOf?: Account,
  ) {
    this.sharesTime = timeOf !== undefined;
    this.share = timeOf?.share ?? ofNetwork.shareOf(name);
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
    return this.ofNetwork.network;
  }

  /** How much of a holding the client has now. */
  amountOf(holding: Holding): number {
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

  /** Counts something that comes back with time; false when the client has had too much of it lately. */
  spend(what: ClientRate): boolean {
    this.rates[what] ??= new Rate(OF_CLIENT[what], () => this.nowMillis);
    return this.rates[what].take() || this.ledger.refuseRate(what);
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

/** Who has most; undefined where nobody has anything. */
function mostBy<T>(all: Iterable<T>, amountOf: (one: T) => number): T | undefined {
  let found: T | undefined;
  let most = 0;
  for (const one of all) {
    const amount = amountOf(one);
    if (amount > most) [found, most] = [one, amount];
  }
  return found;
}

/** All accounts of a server: the totals that clients hold, and how often clients were refused more. */
export class Ledger {
  private readonly total: Record<Holding, number> = nothing();
  private readonly refused: Record<Holding, number> = nothing();
  private readonly shown = new Map<string, Counted>();
  private readonly networks = new Map<string, NetworkAccounts>();
  private readonly loggedBytes: Rate;
  private readonly loggedBytesOfAddresses: Rates;
  /** How often somebody had had too much of a rate. */
  readonly rateRefusals = new Map<ClientRate | 'loggedBytes', number>([
    ...(['catalogChanges', 'seeks', 'loggedBytes'] as const).map((what) => [what, 0] as const),
  ]);

  /** @param heldBack called when a client is refused more, with a sentence about that client. */
  constructor(
    private readonly clock: Clock,
    readonly bounds: Bounds = DEFAULT_BOUNDS,
    private readonly heldBack: (client: string, sentence: string) => void = () => undefined,
  ) {
    const { ofAddress, all } = LIMITS.loggedBytes;
    const nowMillis = (): number => this.nowMillis();
    this.loggedBytes = new Rate({ atOnce: all, perSecond: all }, nowMillis);
    this.loggedBytesOfAddresses = new Rates({ atOnce: ofAddress, perSecond: ofAddress }, nowMillis);
  }

  /**
   * @param name an address, or an address with a port, then with IPv6 in brackets.
   * @param timeOf whose computing time the account uses. Default: its own.
   * @param address with whose clients the account shares. Default: that of the name.
   */
  open(name: string, timeOf?: Account, address = hostOf(name)): Account {
    const network = networkOf(address);
    const known = this.networks.get(network);
    const ofNetwork = known ?? new NetworkAccounts(network);
    this.networks.set(network, ofNetwork);
    const account = new Account(name, ofNetwork, this, timeOf);
    ofNetwork.accounts.add(account);
    return account;
  }

  nowMillis(): number {
    return this.clock.nowMillis();
  }

  /** Whether a line of so many bytes may be logged for a client. @param network of its address. */
  mayLog(network: string, bytes: number): boolean {
    const ofAddress = this.loggedBytesOfAddresses.of(network);
    const fits = ofAddress.available >= bytes && this.loggedBytes.take(bytes) && ofAddress.take(bytes);
    return fits || this.refuseRate('loggedBytes');
  }

  /** Counts a refusal. */
  refuseRate(what: ClientRate | 'loggedBytes'): false {
    this.rateRefusals.set(what, (this.rateRefusals.get(what) ?? 0) + 1);
    return false;
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
   * Adds an amount to an account. A client may hold as much as it leaves free for others: alone it gets half of the
   * total (of a total of one, the one), and the next client always gets something. The clients of an address together may hold
   * three quarters, which they share in the same way if it is something that lasts. When nothing is left, the address with most
   * gives way. Throws an OverBoundError.
   */
  admit(account: Account, holding: Holding, amount: number): void {
    if (this.ownRefusal(account, holding, amount) === undefined)
      while (this.isLacking(account, holding, amount) && this.makeRoom(account, holding, amount));
    const sentence = this.refusal(account, holding, amount);
    if (sentence === undefined) {
      this.total[holding] += amount;
      account.ofNetwork.held[holding] += amount;
      return;
    }
    this.refused[holding]++;
    this.heldBack(account.name, sentence);
    throw new OverBoundError(holding, sentence);
  }

  /** Why an account may not have an amount more; undefined when it may. */
  refusal(account: Account, holding: Holding, amount: number): string | undefined {
    const own = this.ownRefusal(account, holding, amount);
    if (own !== undefined || !this.isLacking(account, holding, amount)) return own;
    return `this server has too few ${LIMITS[holding].what} left for this client to have ${account.amountOf(holding) + amount}`;
  }

  /** Why a client or its address may not have so much, whatever is left. */
  private ownRefusal(account: Account, holding: Holding, amount: number): string | undefined {
    const { each, all } = this.bounds[holding];
    const wanted = account.amountOf(holding) + amount;
    if (wanted > each) return `a client may have ${each} ${LIMITS[holding].what}`;
    // Of a total of one, an address has that one.
    const ofAddress = Math.max(1, PART_OF_AN_ADDRESS * all);
    const together = account.ofNetwork.held[holding] + amount;
    const isShared = LASTING.has(holding) && together > wanted;
    if (together + (isShared ? wanted : 0) > ofAddress)
      return `the clients of an address may have ${Math.floor(ofAddress)} ${LIMITS[holding].what} together${isShared ? ', each no more than it leaves for others' : ''}`;
    return undefined;
  }

  /** Whether too little is left for so much. */
  private isLacking(account: Account, holding: Holding, amount: number): boolean {
    const { all } = this.bounds[holding];
    const wanted = account.amountOf(holding) + amount;
    const left = all - this.total[holding] - amount;
    // Nobody else could have the one of a total of one.
    const isOnly = all === 1 && wanted === 1 && left === 0;
    return wanted > left && !isOnly;
  }

  /** Lets the client with most go, of the address with most: it must have more than twice what the other one would have. */
  private makeRoom({ ofNetwork }: Account, holding: Holding, amount: number): boolean {
    if (!GIVING_WAY.has(holding) || amount < this.bounds[holding].all - this.total[holding]) return false;
    const heldBy = (one: { readonly held: Readonly<Record<Holding, number>> }): number => one.held[holding];
    const most = mostBy(this.networks.values(), heldBy);
    if (!most || heldBy(most) <= 2 * (heldBy(ofNetwork) + amount)) return false;
    const client = mostBy(most.accounts, (one) => (one.letGo ? one.amountOf(holding) : 0));
    client?.letGo?.(`others need ${LIMITS[holding].what}, and its address has most`);
    client?.close();
    return client !== undefined;
  }

  returned({ ofNetwork }: Account, holding: Holding, amount: number): void {
    this.total[holding] -= amount;
    ofNetwork.held[holding] -= amount;
  }

  closed(account: Account): void {
    const { ofNetwork } = account;
    ofNetwork.leave(account);
    if (ofNetwork.accounts.size === 0) this.networks.delete(ofNetwork.network);
  }
}
