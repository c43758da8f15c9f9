// Copies the values of one frame at once, so that all are of one tick, and writes their JSON text in pieces.
import type { Frame } from '../../model/frame/reader.js';
import { type LeafValue, Memory, readLeaf, readSingle } from '../../model/state/memory.js';
import { holdsPointers } from '../../model/state/pointers.js';
import type { Value } from '../../model/state/read.js';
import {
  type Characters,
  isCharacters,
  isLeaf,
  type LeafType,
  type Member,
  type NumberType,
  SEQUENCE_HEADER_BYTES,
  type StructType,
  sizeOf,
  strideOf,
  type Type,
} from '../../model/state/type.js';
import { locate } from '../../model/state/variable.js';
import { type Sink, walk } from '../../model/state/walk.js';
import type { Reference } from '../../serving/session/reference.js';
import type { AnswerText } from './answer-text.js';
import { toJson } from './json-value.js';

type Convert = ((x: number) => number) | undefined;

/** Where a value lies in the copy: one block for adjacent bytes, several for values behind pointers. */
type TakenValue =
  | { readonly kind: 'block'; readonly type: Type; readonly at: number }
  | { readonly kind: 'elements'; readonly element: Type; readonly at: number; readonly count: number }
  | { readonly kind: 'list'; readonly items: readonly TakenValue[] }
  | {
      readonly kind: 'struct';
      readonly form: StructForm;
      readonly members: readonly (readonly [name: string, place: TakenValue])[];
    }
  | { readonly kind: 'computed'; readonly value: Value }
  | { readonly kind: 'null' };

const NULL: TakenValue = { kind: 'null' };

/** How a structure is written: by names, as a list, or as its only member. */
export type StructForm = 'object' | 'list' | 'bare';

/** What protocols write differently. */
export interface ValueStyle {
  /** The text of a single value, in the units asked for. */
  single(type: Type, value: LeafValue): string;
  formOf(type: StructType): StructForm;
  /** Whether a member's value is written; otherwise null is. */
  shows(member: Member): boolean;
  /** Whether finite numbers are written as JavaScript writes them. Default false. */
  readonly hasPlainNumbers?: boolean;
}

/** As `toJson` writes values. */
const PLAIN: ValueStyle = {
  single: (_, value) =>
    typeof value === 'number' && Number.isFinite(value) ? `${value}` : JSON.stringify(toJson(value)),
  formOf: () => 'object',
  shows: () => true,
  hasPlainNumbers: true,
};

/** Numbers whose texts are joined at once: that makes half as much garbage as one text after another. */
const MANY_NUMBERS = 64;

/** How many values are written between two pauses. */
const WRITTEN_AT_ONCE = 256;
type Adding = Generator<void, void>;

interface Range {
  readonly from: number;
  bytes: number;
}

/** A copy of those parts of a frame that some references read. */
export class TakenValues {
  private readonly ranges: Range[] = [];
  private readonly places: readonly TakenValue[];
  private copy: Memory | undefined;
  /** Size of the copy in bytes. */
  readonly sizeBytes: number;
  private nextAt = 0;
  private written = 0;

  constructor(
    private readonly references: readonly (Pick<Reference, 'current' | 'conversion'> &
      Partial<Pick<Reference, 'computedIn'>>)[],
    private readonly frame: Frame,
    private readonly style: ValueStyle = PLAIN,
  ) {
    this.places = references.map((reference) => {
      const { current } = reference;
      const value = reference.computedIn?.(frame);
      if (value !== undefined) return { kind: 'computed', value };
      const offset = current ? locate(current, frame.memory) : -1;
      return current && offset >= 0 ? this.placeOf(current.type, offset) : NULL;
    });
    this.sizeBytes = this.nextAt;
  }

  /**
   * Copies; the frame is not needed afterwards. Call it in the turn of the event loop in which this object was made.
   * @param copy memory of `sizeBytes` that nobody else uses.
   */
  take(copy = new Memory(new ArrayBuffer(this.sizeBytes))): this {
    const { bytes } = this.frame.memory;
    let at = 0;
    for (const range of this.ranges) {
      bytes.copy(copy.bytes, at, range.from, range.from + range.bytes);
      at += range.bytes;
    }
    this.copy = copy;
    return this;
  }

  /** Whether a reference's value is a single number, boolean or text. */
  isSingle(index: number): boolean {
    const place = this.places[index] as TakenValue;
    return place.kind === 'null' || place.kind === 'computed' || (place.kind === 'block' && isSingle(place.type));
  }

  /** The JSON text of a reference's value that is single. */
  singleTextOf(index: number): string {
    const place = this.places[index] as TakenValue;
    if (place.kind === 'computed') return JSON.stringify(toJson(place.value));
    if (place.kind !== 'block' || !isSingle(place.type)) return 'null';
    return singleText(
      this.style,
      place.type,
      this.copy as Memory,
      place.at,
      this.references[index]?.conversion?.convert,
    );
  }

  /** Adds the JSON text of a reference's value; yields after every few hundred values. */
  addText(text: AnswerText, index: number): Adding {
    const convert = this.references[index]?.conversion?.convert;
    const sink = new TextSink(text, this.copy as Memory, this.style, convert, this.isPause);
    return sink.addPlace(this.places[index] as TakenValue);
  }

  /**
   * As `addText`: a short text at once; a long one after turns, and then there is a promise.
   * @param turn default: any text at once.
   */
  writeText(text: AnswerText, index: number, turn?: () => Promise<void>): Promise<void> | undefined {
    const adding = this.addText(text, index);
    while (!adding.next().done) if (turn) return addRest(adding, turn);
    return undefined;
  }

  private placeOf(type: Type, offset: number): TakenValue {
    // An object's components do not lie side by side in memory, so an object has no size of its own.
    const isBlock = !holdsPointers(type) && (type.kind !== 'struct' || type.sizeBytes > 0);
    if (!isBlock) return walk(type, this.frame.memory, offset, this.planner);
    return { kind: 'block', type, at: this.reserve(offset, usedBytesOf(type, this.frame.memory, offset)) };
  }

  /** Plans the copy of what does not lie in one piece. */
  private readonly planner: Sink<TakenValue> = {
    single: () => NULL,
    elements: (element, _memory, offset, count) => {
      const stride = strideOf(element);
      if (!holdsPointers(element))
        return { kind: 'elements', element, at: this.reserve(offset, stride * count), count };
      const items = Array.from({ length: count }, (_, index) => this.placeOf(element, offset + index * stride));
      return { kind: 'list', items };
    },
    members: (type, _memory, offset) => {
      const members = type.members.map((member) => {
        const place = this.style.shows(member) ? this.placeOf(member.type, offset + member.offsetBytes) : NULL;
        return [member.name, place] as const;
      });
      return { kind: 'struct', form: this.style.formOf(type), members };
    },
    nothing: () => NULL,
  };

  private reserve(from: number, bytes: number): number {
    const at = this.nextAt;
    const last = this.ranges.at(-1);
    // Elements of an array that are asked for one by one are copied together.
    if (last && last.from + last.bytes === from) last.bytes += bytes;
    else this.ranges.push({ from, bytes });
    this.nextAt += bytes;
    return at;
  }

  private readonly isPause = (values: number): boolean => {
    this.written += values;
    if (this.written < WRITTEN_AT_ONCE) return false;
    this.written = 0;
    return true;
  };
}

/** Adds values of a copy to a text. */
class TextSink implements Sink<Adding | undefined> {
  /** @param isPause whether it is time for a pause, after so many values more. */
  constructor(
    private readonly text: AnswerText,
    private readonly copy: Memory,
    private readonly style: ValueStyle,
    private readonly convert: Convert,
    private readonly isPause: (values: number) => boolean,
  ) {}

  *addPlace(place: TakenValue): Adding {
    if (this.isPause(1)) yield;
    switch (place.kind) {
      case 'null':
        return this.text.add('null');
      case 'computed':
        return this.text.add(JSON.stringify(toJson(place.value)));
      case 'block':
        return yield* walk(place.type, this.copy, place.at, this) ?? [];
      case 'elements':
        return yield* this.elements(place.element, this.copy, place.at, place.count);
      case 'list':
        this.text.add('[');
        for (const [index, item] of place.items.entries()) {
          if (index > 0) this.text.add(',');
          yield* this.addPlace(item);
        }
        return this.text.add(']');
      case 'struct':
        return yield* this.addMembers(place.form, place.members, (member) => this.addPlace(member));
    }
  }

  single(type: LeafType | Characters, copy: Memory, at: number): undefined {
    this.text.add(singleText(this.style, type, copy, at, this.convert));
  }

  *elements(element: Type, copy: Memory, at: number, count: number): Adding {
    const { text, style, convert } = this;
    const stride = strideOf(element);
    const areNumbers = style.hasPlainNumbers && element.kind === 'number';
    text.add('[');
    for (let index = 0; index < count; ) {
      if (index > 0) text.add(',');
      const place = at + index * stride;
      const numbers = areNumbers ? finiteNumbers(element, copy, place, count - index, convert) : [];
      if (this.isPause(Math.max(1, numbers.length))) yield;
      if (numbers.length > 0) text.add(numbers.join());
      else if (isSingle(element)) text.add(singleText(style, element, copy, place, convert));
      else yield* walk(element, copy, place, this) ?? [];
      index += Math.max(1, numbers.length);
    }
    text.add(']');
  }

  members(type: StructType, copy: Memory, at: number): Adding {
    const members = type.members.map((member) => [member.name, member] as const);
    return this.addMembers(this.style.formOf(type), members, (member) =>
      this.style.shows(member) ? walk(member.type, copy, at + member.offsetBytes, this) : this.nothing(),
    );
  }

  nothing(): undefined {
    this.text.add('null');
  }

  private *addMembers<T>(
    form: StructForm,
    members: readonly (readonly [name: string, member: T])[],
    add: (member: T) => Adding | undefined,
  ): Adding {
    this.text.add(OPENING[form]);
    for (const [index, [name, member]] of members.entries()) {
      this.text.add(before(form, index, name));
      yield* add(member) ?? [];
    }
    this.text.add(CLOSING[form]);
  }
}

/** The next numbers up to one that is not finite, or is too large for a double. */
function finiteNumbers(
  element: NumberType,
  copy: Memory,
  at: number,
  count: number,
  convert: Convert,
): readonly number[] {
  const numbers: number[] = [];
  const stride = strideOf(element);
  for (let index = 0; index < Math.min(MANY_NUMBERS, count); index++) {
    const value = readLeaf(element, copy, at + index * stride);
    if (typeof value !== 'number') break;
    const shown = convert ? convert(value) : value;
    if (!Number.isFinite(shown)) break;
    numbers.push(shown);
  }
  return numbers;
}

function singleText(
  style: ValueStyle,
  type: LeafType | Characters,
  copy: Memory,
  at: number,
  convert: Convert,
): string {
  const value = readSingle(type, copy, at);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  return style.single(type, convert && isNumber ? convert(Number(value)) : value);
}

async function addRest(adding: Adding, turn: () => Promise<void>): Promise<void> {
  await turn();
  for (const _ of adding) await turn();
}

const OPENING: Readonly<Record<StructForm, string>> = { object: '{', list: '[', bare: '' };
const CLOSING: Readonly<Record<StructForm, string>> = { object: '}', list: ']', bare: '' };

/** The text before a member of a structure. */
function before(form: StructForm, index: number, name: string): string {
  return `${index > 0 ? ',' : ''}${form === 'object' ? `${JSON.stringify(name)}:` : ''}`;
}

const isSingle = (type: Type): type is LeafType | Characters => isLeaf(type) || isCharacters(type);

/** How many bytes a value uses now: a sequence counts only the elements that it has. */
function usedBytesOf(type: Type, memory: Memory, offset: number): number {
  if (type.kind !== 'sequence') return sizeOf(type);
  return SEQUENCE_HEADER_BYTES + strideOf(type.element) * memory.view.getUint32(offset, true);
}
