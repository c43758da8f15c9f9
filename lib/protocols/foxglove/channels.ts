// Channels: one for each object, with a message a frame of all its values, which is made once for all clients; and the log.
import type { Frame } from '../../model/frame/reader.js';
import { isCharacters, type Type } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { Delivery } from '../../serving/session/delivery.js';
import type { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { SharedFeed } from '../../serving/session/shared-feed.js';
import type { Source } from '../../source/source.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { TakenValues, type ValueStyle } from '../json-rpc/taken-values.js';
import { dataMessage, nanosecondsOf } from './binary.js';
import { type Channel, structSchema } from './json-schema.js';
import { LOG_CHANNEL } from './log-channel.js';
import { SCENE_CHANNELS, type SceneChannel } from './scene.js';

/** A client shows a list of all topics; more objects than this are not announced. */
export const MOST_CHANNELS = 2000;
/** Making so many schemas takes a millisecond or two. */
const SCHEMAS_AT_ONCE = 16;

export const topicOf = (name: string): string => `/${name}`;
export const nameOf = ({ topic }: Pick<Channel, 'topic'>): string => topic.slice(1);

/** The channels of all clients. An id is never used again for another topic or schema. */
export class Channels {
  private nextId = LOG_CHANNEL.id + 1;
  private readonly schemas = new WeakMap<Type, string>();
  private version = -1;
  private known: ReadonlyMap<number, Channel> = new Map();
  private making: Promise<void> | undefined;
  /** The announcement of all channels, which most clients get. */
  private text: Promise<Uint8Array> | undefined;

  constructor(private readonly source: Pick<Source, 'catalog'>) {}

  /** How many objects and variables of their own have no channel. */
  get leftOut(): number {
    return Math.max(0, this.source.catalog.topCount - MOST_CHANNELS);
  }

  /** All of the present catalog by id; made in the turns of the first who asks. */
  async all(turn: () => Promise<void>): Promise<ReadonlyMap<number, Channel>> {
    while (this.source.catalog.version !== this.version) {
      // Who makes them may go meanwhile.
      if (this.making) await this.making.catch(() => undefined);
      else await this.begin(turn);
    }
    return this.known;
  }

  private async begin(turn: () => Promise<void>): Promise<void> {
    this.making = this.make(turn);
    try {
      await this.making;
    } finally {
      this.making = undefined;
    }
  }

  private async make(turn: () => Promise<void>): Promise<void> {
    const { catalog } = this.source;
    const before = new Map([...this.known.values()].map((channel) => [channel.topic, channel]));
    const channels = new Map<number, Channel>([[LOG_CHANNEL.id, LOG_CHANNEL]]);
    for (const top of catalog.tops()) {
      if (channels.size > MOST_CHANNELS) break;
      if (channels.size % SCHEMAS_AT_ONCE === 0) await turn();
      if (top.access === 'write-only') continue;
      const channel = this.channelOf(top, before.get(topicOf(top.path)));
      channels.set(channel.id, channel);
    }
    for (const one of catalog.poses.length > 0 ? SCENE_CHANNELS : []) {
      const channel = this.sceneChannel(one, before);
      channels.set(channel.id, channel);
    }
    this.version = catalog.version;
    this.known = channels;
    this.text = undefined;
  }

  /** The message that announces these. */
  async announcement(come: readonly Channel[], turn: () => Promise<void>): Promise<Uint8Array> {
    if (come.length < this.known.size) return announcementOf(come, turn);
    this.text ??= announcementOf(come, turn);
    const { text } = this;
    return text.catch(() => {
      if (this.text === text) this.text = undefined;
      return announcementOf(come, turn);
    });
  }

  private channelOf(top: Variable, before: Channel | undefined): Channel {
    const schema = this.schemas.get(top.type) ?? schemaOf(top);
    if (top.type.kind === 'struct') this.schemas.set(top.type, schema);
    return this.channel(topicOf(top.path), top.path, schema, before);
  }

  /** Topics of objects have one slash. */
  private sceneChannel({ name, schemaName, schema }: SceneChannel, before: ReadonlyMap<string, Channel>): Channel {
    const topic = this.source.catalog.hasName(name) ? `/varwire/${name}` : topicOf(name);
    return this.channel(topic, schemaName, schema, before.get(topic));
  }

  private channel(topic: string, schemaName: string, schema: string, before: Channel | undefined): Channel {
    if (before?.schema === schema) return before;
    return { id: this.nextId++, topic, encoding: 'json', schemaName, schema, schemaEncoding: 'jsonschema' };
  }
}

async function announcementOf(channels: readonly Channel[], turn: () => Promise<void>): Promise<Uint8Array> {
  const text = AnswerText.of('{"op":"advertise","channels":[');
  for (const [index, channel] of channels.entries()) {
    if (index % SCHEMAS_AT_ONCE === 0) await turn();
    text.add(`${index > 0 ? ',' : ''}${JSON.stringify(channel)}`);
  }
  text.add(']}');
  return text.joined(turn);
}

const isObject = (type: Type | undefined): boolean => type?.kind === 'struct' && !isCharacters(type);

/** What is no object is the only member of one: a message is always an object. */
function schemaOf({ type, units, about, access, offsetBytes }: Variable): string {
  if (type.kind === 'struct') return JSON.stringify(structSchema(type.members));
  return JSON.stringify(structSchema([{ name: 'value', type, units, about, access, offsetBytes }]));
}

/** Numbers that JSON lacks are null; an enumeration is its number, which can be plotted. */
const STYLE: ValueStyle = {
  single(type, value) {
    if (type.kind === 'enumeration') return `${type.labels[value as string] ?? (Number(value) || 0)}`;
    if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
    if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? `${value}` : `"${value}"`;
    return JSON.stringify(value);
  },
  formOf: () => 'object',
  shows: ({ access }) => access !== 'write-only',
  hasPlainNumbers: true,
};

/** The messages of one subscription of a channel. */
export class ChannelMessages implements Delivery {
  readonly kind = 'binary';
  readonly isLong: boolean;
  private readonly made: SharedFeed;

  constructor(
    private readonly registry: SessionRegistry,
    /** The client's number for it. */
    private readonly subscriptionId: number,
    private readonly reference: Reference,
    isLong: boolean,
    private readonly turn: () => Promise<void>,
  ) {
    this.isLong = isLong;
    this.made = registry.feeds.hold(`foxglove|${reference.path}`, () => ({
      encode: (frame) => encoded(reference, frame),
    }));
  }

  get feed(): object {
    return this.made;
  }

  message(frame: Frame): Uint8Array | Promise<Uint8Array | undefined> {
    const nanoseconds = nanosecondsOf(frame.timeSeconds);
    if (!this.isLong) return dataMessage(this.subscriptionId, nanoseconds, this.made.message(frame));
    return this.made
      .begun(frame, () => this.encodedInTurns(frame))
      .then((payload) => payload && dataMessage(this.subscriptionId, nanoseconds, payload));
  }

  private async encodedInTurns(frame: Frame): Promise<Uint8Array> {
    const { copies } = this.registry;
    const values = new TakenValues([this.reference], frame, STYLE);
    const memory = copies.takeMemory(values.sizeBytes);
    try {
      const text = new AnswerText();
      const [before, after] = aroundOf(this.reference);
      text.add(before);
      await values.take(memory).writeText(text, 0, this.turn);
      text.add(after);
      return await text.joined(this.turn);
    } finally {
      copies.giveBack(memory);
    }
  }

  withDropped(message: Uint8Array): Uint8Array {
    return message;
  }

  release(): void {
    this.registry.feeds.release(this.made);
  }
}

const aroundOf = ({ current }: Reference): readonly [string, string] =>
  isObject(current?.type) ? ['', ''] : ['{"value":', '}'];

function encoded(reference: Reference, frame: Frame): Uint8Array {
  const text = new AnswerText();
  const [before, after] = aroundOf(reference);
  text.add(before);
  new TakenValues([reference], frame, STYLE).take().writeText(text, 0);
  text.add(after);
  return text.bytes;
}
