// Long JSON messages: values copied from a frame at once, written in turns, shared by all readers of one list, and counted for
// each reader from when they are begun until they go out.

import type { Frame } from '../../model/frame/reader.js';
import type { Memory } from '../../model/state/memory.js';
import type { Variable } from '../../model/state/variable.js';
import type { Account } from '../../serving/scheduling/account.js';
import { Held } from '../../serving/scheduling/held.js';
import type { Delivery } from '../../serving/session/delivery.js';
import type { FrameCopies } from '../../serving/session/frame-copies.js';
import { countedUntilSent, LONG_BYTES } from '../../serving/session/outbound.js';
import type { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import type { SharedFeed } from '../../serving/session/shared-feed.js';
import type { Subscription } from '../../serving/session/subscription.js';
import { valuesOf, withPointers } from '../../serving/session/value-count.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { toJson } from '../json-rpc/json-value.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import { TakenValues } from '../json-rpc/taken-values.js';

/** Of a value that is copied from its frame. */
const BYTES_OF_VALUE = 8;

interface Form {
  wrapped(values: Uint8Array, frameNumber: number): Uint8Array;
  readonly withDropped: Delivery['withDropped'];
}

export class LargeMessages implements Delivery {
  readonly kind = 'text';
  readonly isLong = true;
  /** Of all readers of the list. */
  private readonly made: SharedFeed;
  private spelled: Spelled | undefined;
  private readonly held: Held;
  private isReleased = false;

  /** @param reader the account of the client that reads, which is not always the one that has subscribed. */
  constructor(
    private readonly registry: SessionRegistry,
    private readonly subscription: Subscription,
    reader: Account,
    private readonly form: Form,
  ) {
    const key = subscription.references.map((reference) => reference.key).join();
    this.made = registry.feeds.hold(`large|${key}`, () => ({ encode: () => new Uint8Array() }));
    this.held = new Held(reader);
  }

  async message(frame: Frame): Promise<Uint8Array | undefined> {
    const { number } = frame.header;
    if (!this.hold(this.made.isBegun(frame) ? 0 : BYTES_OF_VALUE * this.subscription.valueCount)) return undefined;
    const text = await this.made.begun(frame, () => this.text(frame));
    // The client has gone.
    if (!text || this.isReleased) {
      this.held.release();
      return undefined;
    }
    if (!this.hold(text.length)) {
      this.held.release();
      return undefined;
    }
    // Hundreds of readers may wait for one text, and a copy of it takes milliseconds.
    let message: Uint8Array | undefined;
    await this.registry.turns.due(this.subscription.account, () => {
      if (!this.isReleased) message = this.countUntilSent(this.form.wrapped(text, number));
    });
    return message;
  }

  private text(frame: Frame): Promise<Uint8Array> {
    const { source, turns, copies } = this.registry;
    const { account, references } = this.subscription;
    // Made for the first message: who subscribes may leave before.
    this.spelled ??= spelledOf(references);
    const simTime = JSON.stringify(simTimeOf(source, frame));
    return new CopiedValues(this.spelled, frame, copies).text(simTime, () => turns.turn(account));
  }

  withDropped(message: Uint8Array, dropped: number): Uint8Array {
    return this.countUntilSent(this.form.withDropped(message, dropped));
  }

  release(): void {
    this.isReleased = true;
    this.held.release();
    this.registry.feeds.release(this.made);
  }

  /** What is held is given back when the message goes out, which counts it anew. */
  private countUntilSent(message: Uint8Array): Uint8Array {
    if (message.length > LONG_BYTES) return countedUntilSent(message, () => this.held.release());
    this.held.release();
    return message;
  }

  /** Holds so many bytes for the message that is made; without room the message is left out. */
  private hold(bytes: number): boolean {
    return this.held.trySet('unreadBytes', bytes);
  }
}

/** A value of this size would take long between two looks at the clock. */
const LARGE_VALUE = 64;

/** A value behind a pointer may have any size. */
const isLarge = (reference: Reference): boolean =>
  valuesOf([reference]) > LARGE_VALUE || withPointers([reference]).length > 0;

/** Of a large state, each of so many values at most is copied by itself; otherwise the whole frame is copied. */
const LARGE_VALUES = 5000;
/** How many variables are written between two turns. */
const VALUES_AT_ONCE = 64;

/** References whose spellings of one path are read as one. */
interface Spelled {
  readonly references: readonly Reference[];
  readonly unique: readonly Reference[];
  /** Where among them the values of each reference are. */
  readonly indexes: readonly number[];
}

function spelledOf(references: readonly Reference[]): Spelled {
  const unique: Reference[] = [];
  const indexOf = new Map<string, number>();
  const indexes = references.map((reference) => {
    const { valueKey } = reference;
    const index = indexOf.get(valueKey) ?? unique.push(reference) - 1;
    indexOf.set(valueKey, index);
    return index;
  });
  return { references, unique, indexes };
}

/** The values of one frame. */
class CopiedValues {
  /** Large values are copied by themselves, and their text is written element by element. */
  private readonly taken: TakenValues;
  private readonly memory: Memory;
  private readonly places = new Map<Reference, number>();
  /** Where each of the unique ones is in the frame that was copied. */
  private readonly variables: readonly (Variable | undefined)[];
  /** Many small ones are read from a copy of the frame. */
  private readonly frame: Frame | undefined;

  constructor(
    private readonly spelled: Spelled,
    frame: Frame,
    private readonly copies: FrameCopies,
  ) {
    const { unique } = spelled;
    this.variables = unique.map(({ current }) => current);
    const isOfFew = frame.pages !== undefined && valuesOf(unique) <= LARGE_VALUES;
    const taken = isOfFew ? unique : unique.filter(isLarge);
    this.taken = new TakenValues(taken, frame);
    this.memory = copies.takeMemory(this.taken.sizeBytes);
    this.taken.take(this.memory);
    for (const [index, reference] of taken.entries()) this.places.set(reference, index);
    this.frame = taken.length < unique.length ? copies.take(frame) : undefined;
  }

  /** The text `{"sim_time":{...},"values":{...}}`. */
  async text(simTime: string, turn: () => Promise<void>): Promise<Uint8Array> {
    const { references, unique, indexes } = this.spelled;
    const isEachNamedOnce = unique.length === references.length;
    const known = new Map<number, AnswerText>();
    const text = AnswerText.of(`{"sim_time":${simTime},"values":{`);
    let separator = '';
    for (const [count, { alias }] of references.entries()) {
      if (count % VALUES_AT_ONCE === 0) await turn();
      text.add(`${separator}${JSON.stringify(alias)}:`);
      separator = ',';
      const index = indexes[count] as number;
      if (isEachNamedOnce) for (const _ of this.addValue(text, index)) await turn();
      else text.append(await this.valueOnce(known, index, turn));
    }
    text.add('}}');
    this.copies.giveBack(this.memory);
    if (this.frame) this.copies.giveBack(this.frame);
    return text.joined(turn);
  }

  /** The text of a value, which is written for the first of its spellings. */
  private async valueOnce(
    known: Map<number, AnswerText>,
    index: number,
    turn: () => Promise<void>,
  ): Promise<AnswerText> {
    const own = known.get(index) ?? new AnswerText();
    if (!known.has(index)) for (const _ of this.addValue(own, index)) await turn();
    known.set(index, own);
    return own;
  }

  /** Yields after every few hundred values. */
  private *addValue(text: AnswerText, index: number): Generator<void, void> {
    const reference = this.spelled.unique[index] as Reference;
    const place = this.places.get(reference);
    if (place !== undefined) yield* this.taken.addText(text, place);
    else if (this.frame) text.add(JSON.stringify(toJson(reference.valueOf(this.variables[index], this.frame))));
  }
}
