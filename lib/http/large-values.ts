// The JSON text of many values: copied from a frame at once, written in turns, and shared by all readers of one list.

import type { Frame } from '../frame/reader.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { toJson } from '../json-rpc/json-value.js';
import { simTimeOf } from '../json-rpc/sim-time.js';
import { TakenValues } from '../json-rpc/taken-values.js';
import type { Memory } from '../model/memory.js';
import type { Variable } from '../model/variable.js';
import type { Account } from '../scheduling/account.js';
import type { Slice, Sliced } from '../scheduling/turns.js';
import type { FrameCopies } from '../session/frame-copies.js';
import type { Reference } from '../session/reference.js';
import type { SessionRegistry } from '../session/registry.js';
import { valuesOf, withPointers } from '../session/value-count.js';

/** A value of this size would take long between two looks at the clock. */
const LARGE_VALUE = 64;

/** A value behind a pointer may have any size. */
const isLarge = (reference: Reference): boolean =>
  valuesOf([reference]) > LARGE_VALUE || withPointers([reference]).length > 0;

/** Of a list with so many values at most, each is copied by itself; of a longer one, the whole frame is copied. */
const LARGE_VALUES = 5000;

export interface LargeValues {
  /** The text `{"sim_time":{...},"values":{...}}` of a frame. */
  make(frame: Frame): Promise<Uint8Array | undefined>;
  /** Whether another reader of the list has its text made already: then `make` copies nothing. */
  isBegun(frame: Frame): boolean;
  release(): void;
}

/** @param account of the client whose turns are used. */
export function holdLargeValues(
  { feeds, source, sending, copies }: SessionRegistry,
  account: Account,
  references: readonly Reference[],
): LargeValues {
  const feed = feeds.hold(`large|${references.map(({ key }) => key).join()}`, () => ({
    encode: () => new Uint8Array(),
  }));
  const make = (frame: Frame): Promise<Uint8Array | undefined> => {
    const simTime = JSON.stringify(simTimeOf(source, frame));
    const values = new CopiedValues(references, frame, copies);
    return sending.run(account, (slice) => values.text(simTime, slice));
  };
  return {
    make: (frame) => feed.inTurns(frame, () => make(frame)),
    isBegun: (frame) => feed.isBegun(frame),
    release: () => feeds.release(feed),
  };
}

/** The values of one frame. */
class CopiedValues {
  /** Large values are copied by themselves, and their text is written element by element. */
  private readonly taken: TakenValues;
  private readonly memory: Memory;
  private readonly places = new Map<Reference, number>();
  /** Where each is in the frame that was copied. */
  private readonly variables: readonly (Variable | undefined)[];
  /** Many small ones are read from a copy of the frame. */
  private readonly frame: Frame | undefined;

  constructor(
    private readonly references: readonly Reference[],
    frame: Frame,
    private readonly copies: FrameCopies,
  ) {
    this.variables = references.map(({ current }) => current);
    const isOfFew = valuesOf(references) <= LARGE_VALUES;
    const taken = isOfFew ? references : references.filter(isLarge);
    this.taken = new TakenValues(taken, frame);
    this.memory = copies.takeMemory(this.taken.sizeBytes);
    this.taken.take(this.memory);
    for (const [index, reference] of taken.entries()) this.places.set(reference, index);
    this.frame = taken.length < references.length ? copies.take(frame) : undefined;
  }

  *text(simTime: string, slice: Slice): Sliced<Uint8Array> {
    const text = AnswerText.of(`{"sim_time":${simTime},"values":{`);
    let separator = '';
    for (const [index, reference] of this.references.entries()) {
      if (slice.isOver()) yield;
      text.add(`${separator}${JSON.stringify(reference.alias)}:`);
      separator = ',';
      const place = this.places.get(reference);
      if (place !== undefined) yield* this.taken.addText(text, place, slice);
      else if (this.frame) text.add(JSON.stringify(toJson(reference.valueOf(this.variables[index], this.frame))));
    }
    text.add('}}');
    this.copies.giveBack(this.memory);
    if (this.frame) this.copies.giveBack(this.frame);
    return yield* text.joined(slice);
  }
}
