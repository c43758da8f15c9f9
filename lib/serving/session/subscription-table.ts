// All subscriptions of a front-end by id; a subscription without readers is removed after a while.
import { randomBytes } from 'node:crypto';
import type { Frame } from '../../model/frame/reader.js';
import { type Account, OverBoundError } from '../scheduling/account.js';
import { changeGate, type DeadBands } from './change-gate.js';
import type { PartOfFrame } from './client-frames.js';
import { FORGOTTEN, UnknownSubscriptionError } from './errors.js';
import { type BatchDelivery, FrameBatch } from './frame-batch.js';
import { FrameClients } from './frame-clients.js';
import { whenFrameComes } from './frame-demand.js';
import type { Outbound } from './outbound.js';
import type { Reader } from './reader.js';
import type { Reference } from './reference.js';
import type { SessionRegistry } from './registry.js';
import { Subscription } from './subscription.js';

const UNREAD_MILLIS = 60_000;
/** So many subscriptions are looked at outside of their client's turns. */
const FEW = 4;

/** What a client asks for when it subscribes. */
export interface SubscriptionWish {
  /** The account of the client that subscribes. */
  readonly account: Account;
  readonly references: readonly Reference[];
  readonly cycleMillis: number;
  /** Sends messages only when a value has changed by more than this. */
  readonly deadBands?: DeadBands | undefined;
  /** Whether a message has only the values that have changed since the one before. Default false. */
  readonly isOfChanges?: boolean;
}

/** Cannot be guessed, so that only clients who were told an id can read or stop that subscription. */
export const randomId = (): string => randomBytes(9).toString('base64url');

/** All subscriptions of a server: each gets the frames that are due for it. */
export class SubscriptionTable {
  private readonly all = new Map<string, Subscription>();
  private readonly clients: FrameClients<Subscription>;
  private readonly expiries = new Map<string, () => void>();
  /** The batches that have values of a client's subscriptions and must be ended. */
  private readonly batches = new WeakMap<Account, Set<FrameBatch>>();

  constructor(
    private readonly registry: SessionRegistry,
    private readonly newId: () => string = randomId,
  ) {
    this.clients = new FrameClients(registry, {
      begin: (subscriptions, account) => this.sending(account, subscriptions),
      gone: (subscriptions) => {
        for (const subscription of [...subscriptions]) this.remove(subscription);
      },
      isConcerned: (subscriptions, frame) => subscriptions.size > FEW || isConcerned(subscriptions, frame),
      groupOf,
    });
  }

  get size(): number {
    return this.all.size;
  }

  /** Throws an OverBoundError. */
  create({ account, references, cycleMillis, deadBands, isOfChanges }: SubscriptionWish): Subscription {
    // A client may have gone while its call waited, and nobody would end its subscription.
    if (account.isClosed) throw new OverBoundError('subscriptions', FORGOTTEN);
    const { frame } = this.registry.source;
    const { header } = frame;
    const gate = changeGate(account, references, deadBands);
    const subscription = new Subscription(this.newId(), account, references, cycleMillis, header, gate, isOfChanges);
    subscription.countFirst(frame);
    this.all.set(subscription.id, subscription);
    this.clients.add(account, subscription);
    this.expireLater(subscription);
    return subscription;
  }

  /** Throws an UnknownSubscriptionError for an id that names no subscription, or one that has ended. */
  find(id: string): Subscription {
    const subscription = this.all.get(id);
    if (subscription) return subscription;
    throw new UnknownSubscriptionError(id);
  }

  /** The aliases of all subscriptions of a client. */
  *aliasesOf(account: Account): Generator<string> {
    for (const { references } of this.clients.of(account)) for (const { alias } of references) yield alias;
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  /**
   * Adds a reader. It gets the latest frame at once or, when it resumes, its next message on its cycle. Throws an
   * OverBoundError when the subscription's account has no room for a reader more. A reader of a subscription that has
   * ended meanwhile ends at once.
   */
  attach(subscription: Subscription, reader: Reader, isResumed = false): void {
    if (!this.has(subscription.id)) {
      reader.end();
      return;
    }
    this.keep(subscription);
    const { source } = this.registry;
    subscription.add(reader, source.frame, isResumed);
    if (subscription.follower.isLate) whenFrameComes(source);
    // The first values go out at once; they do not wait until further readers are attached.
    this.endBatches(subscription.account, source.frame);
  }

  /** Makes a batch: its readers' values of a frame go out as one message. */
  openBatch(outbound: Outbound, delivery: BatchDelivery): FrameBatch {
    const { source } = this.registry;
    const frameOf = (number: number): Frame => source.past(number) ?? source.frame;
    return new FrameBatch(outbound, delivery, frameOf, (batch, account) => {
      this.batches.set(account, (this.batches.get(account) ?? new Set()).add(batch));
    });
  }

  closeBatch(batch: FrameBatch): void {
    batch.close();
  }

  private endBatches(account: Account, frame: Frame): void {
    const batches = this.batches.get(account);
    this.batches.delete(account);
    for (const batch of batches ?? []) batch.end(frame);
  }

  /** Removes a reader; the subscription stays for a while so that the client can come back. */
  detach(subscription: Subscription, reader: Reader): void {
    if (!subscription.drop(reader)) return;
    reader.release();
    if (subscription.readers.size === 0 && this.all.has(subscription.id)) this.expireLater(subscription);
  }

  remove(subscription: Subscription): void {
    this.keep(subscription);
    if (!this.all.delete(subscription.id)) return;
    this.clients.remove(subscription.account, subscription);
    subscription.end();
    const readers = [...subscription.readers];
    subscription.readers.clear();
    for (const reader of readers) reader.end();
  }

  close(): void {
    for (const subscription of [...this.all.values()]) this.remove(subscription);
  }

  /** A client's part of a frame: each piece sends one subscription to one reader. */
  private sending(account: Account, subscriptions: ReadonlySet<Subscription>): PartOfFrame {
    const sendNext = sendingEach(subscriptions, (subscription, frame) => this.begun(subscription, frame));
    return (frame) => {
      if (sendNext(frame)) return true;
      this.endBatches(account, frame);
      return false;
    };
  }

  /** Sends a subscription if it is due: to the first of its readers, and to the others by what is returned. */
  private begun(subscription: Subscription, frame: Frame): PartOfFrame | undefined {
    if (!this.has(subscription.id) || !subscription.follower.isNewTo(frame.header)) return undefined;
    if (subscription.hasOutgrown(frame.header)) this.remove(subscription);
    if (!subscription.isDueNow(frame)) return undefined;
    if (subscription.hasGrownIn(frame)) {
      this.remove(subscription);
      return undefined;
    }
    if (subscription.readers.size === 1) {
      subscription.send(frame);
      return undefined;
    }
    const sendNext = subscription.sendingEach(frame);
    return sendNext(frame) ? sendNext : undefined;
  }

  private expireLater(subscription: Subscription): void {
    this.keep(subscription);
    const cancel = this.registry.clock.after(UNREAD_MILLIS, () => this.remove(subscription));
    this.expiries.set(subscription.id, cancel);
  }

  private keep(subscription: Subscription): void {
    this.expiries.get(subscription.id)?.();
    this.expiries.delete(subscription.id);
  }
}

/** A client with one reader gets the same as all whose messages are made by the same feed. */
function groupOf(subscriptions: ReadonlySet<Subscription>): unknown {
  return subscriptions.size === 1 ? subscriptions.values().next().value?.feed : undefined;
}

function isConcerned(subscriptions: Iterable<Subscription>, frame: Frame): boolean {
  for (const subscription of subscriptions) if (subscription.isConcernedBy(frame)) return true;
  return false;
}

/**
 * The next call sends to one reader of a subscription; false after the last. Those added meanwhile have had the frame.
 */
function sendingEach(
  all: ReadonlySet<Subscription>,
  begin: (one: Subscription, frame: Frame) => PartOfFrame | undefined,
): PartOfFrame {
  const subscriptions = [...all];
  let index = 0;
  let sendNext: PartOfFrame | undefined;
  return (frame) => {
    const subscription = sendNext ? undefined : subscriptions[index++];
    if (sendNext) sendNext = sendNext(frame) ? sendNext : undefined;
    else if (subscription) sendNext = begin(subscription, frame);
    return sendNext !== undefined || index < subscriptions.length;
  };
}
