// Binary messages of a list whose values keep their place and size: all but the values is made once for each catalog.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.
import type { Frame } from '../../../model/frame/reader.js';
import type { Memory } from '../../../model/state/memory.js';
import type { Leaves } from '../../../model/state/variable.js';
import { binaryMessage, LEFT_OUT } from './binary.js';
import type { ListFormat } from './list-format.js';
import type { ListIndicator } from './messages.js';
import type { TrickReference } from './reference.js';
import { sizeInMessage, swappedBytes, type ValueOutput, writeBytes } from './value-bytes.js';

const WORD_BYTES = 4;
/** Longer values are copied as one block, shorter ones word by word. */
const LONGEST_BY_WORDS_BYTES = 64;

/** A value's place in a frame's memory and in the messages. */
interface TemplateValue {
  readonly leaves: Leaves;
  readonly sizeBytes: number;
  /** Offset in the messages. */
  readonly offset: number;
}

/** What the messages take from a frame. */
interface Copies {
  /** Pairs of offsets: in the frame's memory, then in the messages. */
  readonly words: number[];
  readonly bytes: number[];
  readonly blocks: TemplateValue[];
  /** Offsets in the messages. */
  readonly times: number[];
}

/**
 * The template of a list for the frames of one catalog, that of `frame`; undefined if the place or size of a value may
 * differ between them.
 */
export function templateOf(
  indicator: ListIndicator,
  references: readonly TrickReference[],
  format: ListFormat,
  frame: Frame,
): ListTemplate | undefined {
  if (!references.every((reference) => reference.isFixedIn(frame))) return undefined;
  const copies: Copies = { words: [], bytes: [], blocks: [], times: [] };
  const messages: Buffer[] = [];
  let start = 0;
  for (let first = 0; first < references.length; ) {
    const { bytes, end, valueOffsets } = binaryMessage(indicator, references, first, format, frame);
    for (const [index, offset] of valueOffsets.entries())
      if (offset !== LEFT_OUT)
        addValue(copies, references[first + index] as TrickReference, start + offset, format, frame);
    messages.push(bytes);
    start += bytes.length;
    first = end;
  }
  return new ListTemplate(Buffer.concat(messages), copies, format.isByteSwapped);
}

function addValue(
  copies: Copies,
  reference: TrickReference,
  offset: number,
  { isByteSwapped }: ListFormat,
  frame: Frame,
): void {
  const leaves = reference.leavesIn(frame);
  if (reference.isTime) copies.times.push(offset);
  // A reference without leaves is a bad one, and its bytes never change.
  if (reference.isTime || !leaves) return;
  const place = { leaves, sizeBytes: sizeInMessage(frame.memory, leaves), offset };
  if (place.sizeBytes > LONGEST_BY_WORDS_BYTES) copies.blocks.push(place);
  else if (isByteSwapped) addSwapped(copies, place);
  else addAsStored(copies, place);
}

function addAsStored({ words, bytes }: Copies, { leaves, sizeBytes, offset }: TemplateValue): void {
  let at = 0;
  for (; at + WORD_BYTES <= sizeBytes; at += WORD_BYTES) words.push(leaves.offsetBytes + at, offset + at);
  for (; at < sizeBytes; at++) bytes.push(leaves.offsetBytes + at, offset + at);
}

/** Copies the last word or byte of an element first; setInt32 swaps the bytes within a word. */
function addSwapped({ words, bytes }: Copies, { leaves, sizeBytes, offset }: TemplateValue): void {
  const elementBytes = swappedBytes(leaves.element);
  const [list, step] = elementBytes >= WORD_BYTES ? [words, WORD_BYTES] : [bytes, 1];
  for (let start = 0; start < sizeBytes; start += elementBytes) {
    for (let at = 0; at < elementBytes; at += step)
      list.push(leaves.offsetBytes + start + elementBytes - step - at, offset + start + at);
  }
}

export class ListTemplate {
  // Typed arrays keep the loops over them short.
  private readonly words: Int32Array;
  private readonly bytes: Int32Array;
  private readonly blocks: readonly TemplateValue[];
  private readonly times: readonly number[];

  /** @param template messages of the list; every fill copies them and replaces the values. */
  constructor(
    private readonly template: Buffer,
    copies: Copies,
    private readonly isByteSwapped: boolean,
  ) {
    this.words = Int32Array.from(copies.words);
    this.bytes = Int32Array.from(copies.bytes);
    this.blocks = copies.blocks;
    this.times = copies.times;
  }

  /** The messages of a frame of the template's catalog, one after the other in new bytes. */
  fill(frame: Frame): Uint8Array {
    const bytes = Buffer.from(this.template);
    const output = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
    this.copyWords(frame.memory.view, output.view);
    this.copyBytes(frame.memory.bytes, bytes);
    this.copyBlocks(frame.memory, output);
    for (const offset of this.times) output.view.setFloat64(offset, frame.timeSeconds, !this.isByteSwapped);
    return bytes;
  }

  private copyWords(memory: DataView, output: DataView): void {
    const { words } = this;
    const isLittleEndian = !this.isByteSwapped;
    for (let i = 0; i < words.length; i += 2)
      output.setInt32(words[i + 1] as number, memory.getInt32(words[i] as number, true), isLittleEndian);
  }

  private copyBytes(memory: Buffer, output: Buffer): void {
    const { bytes } = this;
    for (let i = 0; i < bytes.length; i += 2) output[bytes[i + 1] as number] = memory[bytes[i] as number] as number;
  }

  private copyBlocks(memory: Memory, output: ValueOutput): void {
    for (const { leaves, sizeBytes, offset } of this.blocks)
      writeBytes(output, offset, memory, leaves, sizeBytes, this.isByteSwapped);
  }
}
