// The JSON text of many values: copied from a frame at once, written in turns, and shared by all readers of one list.

import type { Frame } from '../../model/frame/reader.js';
import type { Memory } from '../../model/state/memory.js';
import type { Variable } from '../../model/state/variable.js';
import type { Account } from '../../serving/scheduling/account.js';
import type { FrameCopies } from '../../serving/session/frame-copies.js';
import type { Reference } from '../../serving/session/reference.js';
import type { SessionRegistry } from '../../serving/session/registry.js';
import { valuesOf, withPointers } from '../../serving/session/value-count.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { toJson } from '../json-rpc/json-value.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import { TakenValues } from '../json-rpc/taken-values.js';

/** A value of this size would take long between two looks at the clock. */
const LARGE_VALUE = 64;

/** A value behind a pointer may have any size. */
const isLarge = (reference: Reference): boolean =>
  valuesOf([reference]) > LARGE_VALUE || withPointers([reference]).length > 0;

/** Of a list with so many values at most, each is copied by itself; of a longer one, the whole frame is copied. */
const LARGE_VALUES = 5000;
/** How many variables are written between two turns. */
const VALUES_AT_ONCE = 64;

export interface LargeValues {
  /** The text `{"sim_time":{...},"values":{...}}` of a frame. */
  make(frame: Frame): Promise<Uint8Array | undefined>;
  /** Whether another reader of the list has its text made already: then `make` copies nothing. */
  isBegun(frame: Frame): boolean;
  release(): void;
}

/** @param account of the client whose turns are used. */
export function holdLargeValues(
  { feeds, source, turns, copies }: SessionRegistry,
  account: Account,
  references: readonly Reference[],
): LargeValues {
  const feed = feeds.hold(`large|${references.map(({ key }) => key).join()}`, () => ({
    encode: () => new Uint8Array(),
  }));
  let spelled: Spelled | undefined;
  const make = (frame: Frame): Promise<Uint8Array | undefined> => {
    // Made for the first message: who subscribes may leave before.
    spelled ??= spelledOf(references);
    const simTime = JSON.stringify(simTimeOf(source, frame));
    const values = new CopiedValues(spelled, frame, copies);
    return values.text(simTime, () => turns.turn(account));
  };
  return {
    make: (frame) => feed.inTurns(frame, () => make(frame)),
    isBegun: (frame) => feed.isBegun(frame),
    release: () => feeds.release(feed),
  };
}

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
    const isOfFew = valuesOf(unique) <= LARGE_VALUES;
    const taken = isOfFew ? unique : unique.filter(isLarge);
    this.taken = new TakenValues(taken, frame);
    this.memory = copies.takeMemory(this.taken.sizeBytes);
    this.taken.take(this.memory);
    for (const [index, reference] of taken.entries()) this.places.set(reference, index);
    this.frame = taken.length < unique.length ? copies.take(frame) : undefined;
  }

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
