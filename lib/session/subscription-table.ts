// All subscriptions of the front-end by id, those that nobody reads removed after a while.
import { randomBytes } from 'node:crypto';
import type { Frame } from '../frame/reader.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { ChangeGate, type DeadBands } from './change-gate.js';
import type { Reference } from './reference.js';
import type { SessionRegistry } from './registry.js';
import { type Reader, Subscription } from './subscription.js';

const UNREAD_MILLIS = 60_000;
const MAX_SUBSCRIPTIONS = 10_000;

export interface SubscriptionWish {
  readonly references: readonly Reference[];
  readonly cycleMillis: number;
  /** Messages only when a value has changed by more than this. */
  readonly deadBands?: DeadBands | undefined;
  readonly format: 'json' | 'binary';
}

/** Not to be guessed, so that only those who were told an id can read or stop a subscription. */
export const randomId = (): string => randomBytes(9).toString('base64url');

export class SubscriptionTable {
  private readonly all = new Map<string, Subscription>();
  private readonly expiries = new Map<string, () => void>();
  /** Frames are followed only while there are subscriptions: nobody listening costs nothing. */
  private stop: (() => void) | undefined;

  constructor(
    private readonly registry: SessionRegistry,
    private readonly newId: () => string = randomId,
  ) {}

  get size(): number {
    return this.all.size;
  }

  create({ references, cycleMillis, deadBands, format }: SubscriptionWish): Subscription {
    if (this.all.size >= MAX_SUBSCRIPTIONS) {
      throw new RpcError(RpcCode.tooMany, `there are ${MAX_SUBSCRIPTIONS} subscriptions, as many as this server holds`);
    }
    const gate = deadBands === undefined ? undefined : new ChangeGate(references, deadBands);
    const { header } = this.registry.source.frame;
    const subscription = new Subscription(this.newId(), references, cycleMillis, header, gate, format);
    this.all.set(subscription.id, subscription);
    this.stop ??= this.registry.source.onFrame((frame) => this.onFrame(frame));
    this.expireLater(subscription);
    return subscription;
  }

  /** Throws an RpcError for an id that is not, or no longer, one. */
  find(id: string): Subscription {
    const subscription = this.all.get(id);
    if (subscription) return subscription;
    const sentence = `there is no subscription ${JSON.stringify(id)}: it has ended, or var/subscribe never gave this id`;
    throw new RpcError(RpcCode.unknownSubscription, sentence);
  }

  has(id: string): boolean {
    return this.all.has(id);
  }

  /** Adds a reader, which gets the latest frame at once, or on its cycle when it goes on with what it had. */
  attach(subscription: Subscription, reader: Reader, isResumed = false): void {
    this.keep(subscription);
    const { source } = this.registry;
    subscription.add(reader, source.frame, isResumed);
    if (subscription.isLate) source.submit({ kind: 'look' }).catch(() => undefined);
  }

  /** Takes a reader away; the subscription stays for a while, for the client to come back. */
  detach(subscription: Subscription, reader: Reader): void {
    if (!subscription.readers.delete(reader)) return;
    reader.release();
    if (subscription.readers.size === 0 && this.all.has(subscription.id)) this.expireLater(subscription);
  }

  remove(subscription: Subscription): void {
    this.keep(subscription);
    this.all.delete(subscription.id);
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

  private onFrame(frame: Frame): void {
    for (const subscription of this.all.values()) subscription.onFrame(frame);
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
