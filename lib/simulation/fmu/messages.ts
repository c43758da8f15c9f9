// What the simulation and an FMU's process tell each other: one message there and one back, with packed values.
import type { FmuClock, FmuType, RunKind } from './description.js';

/** The values that one pair of functions gets and sets. */
export type Family = Exclude<FmuType, 'Enumeration' | 'Binary' | 'Clock'>;

export type NumberFamily = Exclude<Family, 'String'>;

export function familyOf(type: FmuType, generation: 2 | 3): Family {
  if (type === 'Enumeration') return generation === 2 ? 'Int32' : 'Int64';
  return type as Family;
}

export type Numbers =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

type NumbersClass = {
  new (buffer: ArrayBufferLike, offset: number, length: number): Numbers;
  readonly BYTES_PER_ELEMENT: number;
};

const CLASSES: Readonly<Record<NumberFamily, NumbersClass>> = {
  Float64: Float64Array,
  Float32: Float32Array,
  Int8: Int8Array,
  UInt8: Uint8Array,
  Int16: Int16Array,
  UInt16: Uint16Array,
  Int32: Int32Array,
  UInt32: Uint32Array,
  Int64: BigInt64Array,
  UInt64: BigUint64Array,
  Boolean: Uint8Array,
};

/** A truth value takes four bytes in 2.0 and one in 3.0. */
export const numbersClass = (family: NumberFamily, generation: 2 | 3): NumbersClass =>
  family === 'Boolean' && generation === 2 ? Int32Array : CLASSES[family];

export const rounded = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** Variables that are read by one call each time. */
export interface ReadGroup {
  readonly family: Family;
  readonly references: readonly number[];
  /** How many values they have together. */
  readonly values: number;
}

/** Where the numbers of each group begin in a block of values; texts stand behind the block. */
export function blockOf(groups: readonly ReadGroup[], generation: 2 | 3): { offsets: number[]; bytes: number } {
  let bytes = 0;
  const offsets = groups.map(({ family, values }) => {
    const offset = bytes;
    if (family !== 'String') bytes += rounded(values * numbersClass(family, generation).BYTES_PER_ELEMENT);
    return offset;
  });
  return { offsets, bytes };
}

export type Operation = 'setup' | 'initialize' | 'step' | 'save' | 'load' | 'rates' | 'accept' | 'event' | 'end';
const OPERATIONS: readonly Operation[] = [
  ...(['setup', 'initialize', 'step', 'save', 'load', 'rates', 'accept', 'event', 'end'] as const),
];

/** Bits of a request: its writes are events, and not only values of continuous inputs. */
export const IS_EVENT = 1;
/** Bits of a request: it ends a step of an integrator. */
export const COMPLETES = 2;
/** Bits of a reply: the FMU ends the simulation; it wants an event; its states have changed. */
export const TERMINATES = 1;
export const WANTS_EVENT = 2;
export const NEW_STATES = 4;
/** Bits of a reply: its texts are the last ones, and are left out. */
export const SAME_TEXTS = 8;

export type Status = 'done' | 'failed' | 'lost' | 'hangs';
const STATUSES: readonly Status[] = ['done', 'failed', 'lost', 'hangs'];

export const HEAD_BYTES = 40;

/** A message: a head of numbers, and three parts behind it. */
export class Message {
  bytes: Uint8Array;
  private view: DataView;

  constructor(capacity = 4096) {
    this.bytes = new Uint8Array(new ArrayBuffer(Math.max(capacity, HEAD_BYTES)));
    this.view = new DataView(this.bytes.buffer);
  }

  /** Makes room for so many bytes, and keeps what is there. */
  ensure(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    const larger = new Uint8Array(new ArrayBuffer(rounded(Math.max(bytes, 2 * this.bytes.length))));
    larger.set(this.bytes);
    this.bytes = larger;
    this.view = new DataView(larger.buffer);
  }

  get operation(): Operation {
    return OPERATIONS[this.view.getUint32(0, true)] as Operation;
  }
  set operation(operation: Operation) {
    this.view.setUint32(0, OPERATIONS.indexOf(operation), true);
  }
  get status(): Status {
    return STATUSES[this.view.getUint32(0, true)] as Status;
  }
  set status(status: Status) {
    this.view.setUint32(0, STATUSES.indexOf(status), true);
  }
  get flags(): number {
    return this.view.getUint32(4, true);
  }
  set flags(flags: number) {
    this.view.setUint32(4, flags, true);
  }
  get seconds(): number {
    return this.view.getFloat64(8, true);
  }
  set seconds(seconds: number) {
    this.view.setFloat64(8, seconds, true);
  }
  /** Of a request, the length of the step; of a reply, the time of the next event. */
  get moreSeconds(): number {
    return this.view.getFloat64(16, true);
  }
  set moreSeconds(seconds: number) {
    this.view.setFloat64(16, seconds, true);
  }
  /** The bytes of the parts: the numbers, the texts among the values, and text for people. */
  setParts(numbers: number, texts = 0, words = 0): void {
    this.view.setUint32(24, numbers, true);
    this.view.setUint32(28, texts, true);
    this.view.setUint32(32, words, true);
  }
  get numbersBytes(): number {
    return this.view.getUint32(24, true);
  }
  get textsBytes(): number {
    return this.view.getUint32(28, true);
  }
  get wordsBytes(): number {
    return this.view.getUint32(32, true);
  }
  get length(): number {
    return HEAD_BYTES + this.numbersBytes + this.textsBytes + this.wordsBytes;
  }

  /** Numbers from so many bytes behind the head. */
  numbers(family: NumberFamily, generation: 2 | 3, offset: number, length: number): Numbers {
    return new (numbersClass(family, generation))(this.bytes.buffer, HEAD_BYTES + offset, length);
  }

  get texts(): string[] {
    const texts: string[] = [];
    const end = HEAD_BYTES + this.numbersBytes + this.textsBytes;
    for (let at = HEAD_BYTES + this.numbersBytes; at + 4 <= end; ) {
      const length = this.view.getUint32(at, true);
      texts.push(Buffer.from(this.bytes.buffer, at + 4, length).toString());
      at += 4 + length;
    }
    return texts;
  }

  /** Puts texts and words behind numbers of so many bytes. */
  finish(numbersBytes: number, texts: readonly string[] = [], words?: unknown): void {
    if (texts.length === 0 && words === undefined) {
      this.ensure(HEAD_BYTES + numbersBytes);
      this.setParts(numbersBytes);
      return;
    }
    const parts = texts.map((text) => Buffer.from(text));
    const textsBytes = parts.reduce((sum, { length }) => sum + 4 + length, 0);
    const json = words === undefined ? undefined : Buffer.from(JSON.stringify(words));
    this.ensure(HEAD_BYTES + numbersBytes + textsBytes + (json?.length ?? 0));
    this.setParts(numbersBytes, textsBytes, json?.length ?? 0);
    let at = HEAD_BYTES + numbersBytes;
    for (const part of parts) {
      this.view.setUint32(at, part.length, true);
      this.bytes.set(part, at + 4);
      at += 4 + part.length;
    }
    if (json) this.bytes.set(json, at);
  }

  get words(): unknown {
    if (this.wordsBytes === 0) return undefined;
    const at = HEAD_BYTES + this.numbersBytes + this.textsBytes;
    return JSON.parse(Buffer.from(this.bytes.buffer, at, this.wordsBytes).toString());
  }
}

/** What an instance is made of. */
export interface Setup {
  readonly generation: 2 | 3;
  readonly kind: RunKind;
  readonly library: string;
  readonly resources: string;
  readonly token: string;
  readonly name: string;
  readonly isLogging: boolean;
  readonly hasEventMode: boolean;
  /** Of co-simulation: whether a step may have any length. */
  readonly hasVariableSteps: boolean;
  readonly needsCompletedStep: boolean;
  readonly tolerance: number | undefined;
  readonly reads: readonly ReadGroup[];
  readonly states: number;
  readonly indicators: number;
  /** Of scheduled execution. */
  readonly clocks: readonly FmuClock[];
  /** Directories from which the package koffi is looked up. */
  readonly lookUp: readonly string[];
  readonly limitSeconds: number;
}

/** Words of a reply. */
export interface Words {
  /** Why it failed. */
  readonly error?: string;
  readonly logs?: readonly LogLine[];
  /** How many more lines were left out. */
  readonly leftOut?: number;
}

export interface LogLine {
  readonly level: 'warning' | 'error' | 'informational';
  readonly text: string;
}
