// What a client gets frame after frame: the time, and the channels that it has subscribed to.
import type { Frame } from '../../model/frame/reader.js';
import type { Delivery } from '../../serving/session/delivery.js';
import { lateFrames } from '../../serving/session/message-reader.js';
import { PacedReader } from '../../serving/session/paced-reader.js';
import { Reference } from '../../serving/session/reference.js';
import type { Session } from '../../serving/session/session.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { dataMessage, nanosecondsOf, timeMessage } from './binary.js';
import { ChannelMessages, nameOf } from './channels.js';
import type { Channel } from './json-schema.js';
import { followLog, LOG_CHANNEL } from './log-channel.js';
import { WallPace } from './pace.js';
import type { ClientParts } from './parts.js';
import { SCENE_CHANNELS, SceneMessages } from './scene.js';

interface Subscribed {
  readonly channel: Channel;
  readonly end: () => void;
}

export class ClientSubscriptions {
  private readonly all = new Map<number, Subscribed>();
  /** Subscriptions by the channels that they are of. */
  private readonly byChannel = new Map<number, number>();
  private readonly pace: WallPace;
  private stopTime = (): void => undefined;

  /** @param see hears of each frame whose time is told. */
  constructor(
    private readonly parts: ClientParts,
    private readonly session: Session,
    private readonly turn: () => Promise<void>,
    private readonly see: (frame: Frame) => void,
  ) {
    this.pace = new WallPace(() => parts.registry.clock.nowMillis(), parts.hertz);
  }

  names(): readonly string[] {
    const isObject = ({ channel }: Subscribed): boolean => !channel.schemaName.startsWith('foxglove.');
    return [...this.all.values()].filter(isObject).map(({ channel }) => nameOf(channel));
  }

  /** Tells the time from now on. */
  begin(): void {
    const message = (frame: Frame): Uint8Array => {
      this.see(frame);
      return timeMessage(nanosecondsOf(frame.timeSeconds));
    };
    const delivery = {
      kind: 'binary' as const,
      message,
      withDropped: (made: Uint8Array) => made,
      release: () => undefined,
    };
    this.stopTime = this.follow([], () => delivery);
  }

  /** Throws an Error with one sentence for what cannot be subscribed. */
  add(id: number, channel: Channel | undefined): void {
    if (!channel) throw new Error('subscribe: there is no such channel');
    if (this.all.has(id)) throw new Error(`subscribe: the subscription ${id} is there already`);
    if (this.byChannel.has(channel.id)) throw new Error(`subscribe: ${channel.topic} is subscribed already`);
    this.all.set(id, { channel, end: this.followAny(id, channel) });
    this.byChannel.set(channel.id, id);
    this.parts.graph.subscribed(this.session, channel.topic);
  }

  private followAny(id: number, channel: Channel): () => void {
    if (channel === LOG_CHANNEL) return this.followLog(id);
    const isOfScene = SCENE_CHANNELS.some(({ schemaName }) => schemaName === channel.schemaName);
    return isOfScene ? this.followScene(id, channel) : this.followChannel(id, channel);
  }

  private followLog(id: number): () => void {
    const { messages, registry } = this.parts;
    return followLog(messages, registry.source.info.name, (nanoseconds, payload) =>
      this.session.outbound.offer(dataMessage(id, nanoseconds, payload), 'binary'),
    );
  }

  private followChannel(id: number, channel: Channel): () => void {
    const { registry } = this.parts;
    const reference = new Reference(registry.source, nameOf(channel));
    return this.follow([reference], ({ isLong }) => new ChannelMessages(registry, id, reference, isLong, this.turn));
  }

  private followScene(id: number, { schemaName }: Channel): () => void {
    const messages = new SceneMessages(this.parts.registry, id, schemaName);
    return this.follow(messages.references, () => messages);
  }

  /** Throws an OverBoundError. */
  private follow(references: readonly Reference[], deliveryOf: (subscription: Subscription) => Delivery): () => void {
    const { registry, table } = this.parts;
    const { account, outbound } = this.session;
    const subscription = table.create({ account, references, cycleMillis: 0 });
    const late = lateFrames(subscription, registry);
    const reader = new PacedReader(this.pace.ofReader(), outbound, deliveryOf(subscription), () => undefined, late);
    table.attach(subscription, reader);
    return () => table.remove(subscription);
  }

  /** Throws an Error with one sentence when there is no such subscription. */
  remove(id: number): void {
    const subscribed = this.all.get(id);
    if (!subscribed) throw new Error(`unsubscribe: there is no subscription ${id}`);
    this.all.delete(id);
    this.byChannel.delete(subscribed.channel.id);
    subscribed.end();
    this.parts.graph.unsubscribed(this.session, subscribed.channel.topic);
  }

  /** A channel has gone. */
  endOf(channelId: number): void {
    const id = this.byChannel.get(channelId);
    if (id !== undefined) this.remove(id);
  }

  close(): void {
    this.stopTime();
    for (const id of [...this.all.keys()]) this.remove(id);
  }
}
