// All subscriptions of a front-end by id, those that nobody reads removed after a while.
import { randomBytes } from 'node:crypto';
import type { Frame } from '../frame/reader.js';
import type { Account } from './account.js';
import { ChangeGate, type DeadBands } from './change-gate.js';
import { UnknownSubscriptionError } from './errors.js';
import { type BatchDelivery, FrameBatch } from './frame-batch.js';
import { whenFrameComes } from './frame-demand.js';
import type { Outbound } from './outbound.js';
import type { Reference } from './reference.js';
import type { SessionRegistry } from './registry.js';
import { type Reader, Subscription } from './subscription.js';

const UNREAD_MILLIS = 60_000;

export interface SubscriptionWish {
  /** Whose it is. */
  readonly account: Account;
  readonly references: readonly Reference[];
  readonly cycleMillis: number;
  /** Messages only when a value has changed by more than this. */
  readonly deadBands?: DeadBands | undefined;
}

/** Not to be guessed, so that only those who were told an id can read or stop a subscription. */
export const randomId = (): string => randomBytes(9).toString('base64url');

export class SubscriptionTable {
  private readonly all = new Map<string, Subscription>();
  private readonly expiries = new Map<string, () => void>();
  private readonly batches = new Set<FrameBatch>();
  /** Frames are followed only while there are subscriptions: nobody listening costs nothing. */
  private stop: (() => void) | undefined;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly newId: () => string = randomId,
  ) {}

  get size(): number {
    return this.all.size;
  }

  /** Throws an OverBoundError. */
  create({ account, references, cycleMillis, deadBands }: SubscriptionWish): Subscription {
    const gate = deadBands === undefined ? undefined : new ChangeGate(references, deadBands);
    const { header } = this.registry.source.frame;
    const subscription = new Subscription(this.newId(), account, references, cycleMillis, header, gate);
    this.all.set(subscription.id, subscription);
    this.stop ??= this.registry.source.onFrame((frame) => this.onFrame(frame));
    this.expireLater(subscription);
    return subscription;
  }

  /** Throws an UnknownSubscriptionError for an id that is not, or no longer, one. */
  find(id: string): Subscription {
    const subscription = this.all.get(id);
    if (subscription) return subscription;
    throw new UnknownSubscriptionError(id);
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  /** Adds a reader, which gets the latest frame at once, or on its cycle when it goes on with what it had. */
  attach(subscription: Subscription, reader: Reader, isResumed = false): void {
    this.keep(subscription);
    const { source } = this.registry;
    subscription.add(reader, source.frame, isResumed);
    if (subscription.isLate) whenFrameComes(source);
    // First values do not wait for others to be attached.
    for (const batch of this.batches) batch.end(source.frame);
  }

  /** From now on, what the readers of the batch are offered of a frame is one message. */
  openBatch(outbound: Outbound, delivery: BatchDelivery): FrameBatch {
    const batch = new FrameBatch(outbound, delivery);
    this.batches.add(batch);
    return batch;
  }

  closeBatch(batch: FrameBatch): void {
    this.batches.delete(batch);
  }

  /** Takes a reader away; the subscription stays for a while, for the client to come back. */
  detach(subscription: Subscription, reader: Reader): void {
    if (!subscription.readers.delete(reader)) return;
    reader.release();
    if (subscription.readers.size === 0 && this.all.has(subscription.id)) this.expireLater(subscription);
  }

  remove(subscription: Subscription): void {
    this.keep(subscription);
    if (!this.all.delete(subscription.id)) return;
    subscription.end();
    if (this.all.size === 0) this.unfollow();
    const readers = [...subscription.readers];
    subscription.readers.clear();
    for (const reader of readers) reader.end();
  }

  close(): void {
    this.unfollow();
    for (const subscription of [...this.all.values()]) this.remove(subscription);
  }

  private unfollow(): void {
    this.stop?.();
    this.stop = undefined;
  }

  /** Sends what is due, in turns; resolves when all has been sent. The frame stays until then. */
  private onFrame(frame: Frame): Promise<void> | undefined {
    const later: Promise<void>[] = [];
    for (const subscription of this.all.values()) {
      if (!subscription.isDueNow(frame)) continue;
      const sent = this.registry.sending.due(subscription.account, () => subscription.send(frame));
      if (sent) later.push(sent);
    }
    if (later.length === 0) return this.endBatches(frame);
    return Promise.all(later).then(() => this.endBatches(frame));
  }

  private endBatches(frame: Frame): undefined {
    for (const batch of this.batches) batch.end(frame);
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
