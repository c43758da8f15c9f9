// A variable's value as a binary reply carries it: bytes as in C's memory, in either byte order.
import { type Memory, textBytesBorrow } from '../../../model/state/memory.js';
import { isWideText, type LeafType, sizeOf, trickCodeOf } from '../../../model/state/type.js';
import type { Leaves } from '../../../model/state/variable.js';

/** Bytes of the message under construction. */
export interface ValueOutput {
  readonly bytes: Buffer;
  readonly view: DataView;
}

/** Trick's code of the elements, for containers too: clients take a container's own code (24) for a bad reference. */
export const codeOf = ({ element }: Leaves): number => trickCodeOf(element);

/** Size of the value in a message in bytes. Text includes its NUL; null text has no bytes. */
export function sizeInMessage(memory: Memory, leaves: Leaves): number {
  const { element, offsetBytes, count, strideBytes } = leaves;
  if (element.kind !== 'text') return count * sizeOf(element);
  let sizeBytes = 0;
  for (let i = 0; i < count; i++) {
    const text = textBytesBorrow(memory, offsetBytes + i * strideBytes);
    if (text) sizeBytes += isWideText(element) ? 4 * (codePoints(text) + 1) : text.length + 1;
  }
  return sizeBytes;
}

/** Characters in UTF-8 bytes. */
const codePoints = (bytes: Buffer): number => {
  let count = 0;
  for (const _ of bytes.toString('utf8')) count++;
  return count;
};

/** How many bytes of a value are reversed together by a byte swap; 1 for bit fields, which Trick does not swap. */
export const swappedBytes = (element: LeafType): number => (element.kind === 'bits' ? 1 : sizeOf(element));

/** Writes a value. @param sizeBytes what `sizeInMessage` gives for it. */
export function writeBytes(
  output: ValueOutput,
  position: number,
  memory: Memory,
  leaves: Leaves,
  sizeBytes: number,
  isByteSwapped: boolean,
): void {
  const { element } = leaves;
  if (element.kind === 'text') {
    if (isWideText(element)) writeWideTexts(output, position, memory, leaves, isByteSwapped);
    // Trick cannot byte-swap text: it sends zeros in its place.
    else if (isByteSwapped) output.bytes.fill(0, position, position + sizeBytes);
    else writeTexts(output, position, memory, leaves);
    return;
  }
  const swapBytes = isByteSwapped ? swappedBytes(element) : 1;
  if (swapBytes > 1) writeSwapped(output.view, position, memory.view, leaves.offsetBytes, sizeBytes, swapBytes);
  else writeAsStored(output, position, memory, leaves.offsetBytes, sizeBytes);
}

/** Copies a value; for a few bytes single stores are faster than a copy. */
function writeAsStored(output: ValueOutput, position: number, memory: Memory, offset: number, sizeBytes: number): void {
  if (sizeBytes === 8 || sizeBytes === 4) {
    output.view.setInt32(position, memory.view.getInt32(offset));
    if (sizeBytes === 8) output.view.setInt32(position + 4, memory.view.getInt32(offset + 4));
  } else memory.bytes.copy(output.bytes, position, offset, offset + sizeBytes);
}

function writeSwapped(
  output: DataView,
  position: number,
  memory: DataView,
  offset: number,
  sizeBytes: number,
  elementBytes: number,
): void {
  for (let at = 0; at < sizeBytes; at += elementBytes) {
    if (elementBytes === 2) output.setUint16(position + at, memory.getUint16(offset + at, true));
    else if (elementBytes === 4) output.setUint32(position + at, memory.getUint32(offset + at, true));
    else {
      output.setUint32(position + at, memory.getUint32(offset + at + 4, true));
      output.setUint32(position + at + 4, memory.getUint32(offset + at, true));
    }
  }
}

function writeTexts({ bytes }: ValueOutput, position: number, memory: Memory, leaves: Leaves): void {
  let at = position;
  for (let i = 0; i < leaves.count; i++) {
    const text = textBytesBorrow(memory, leaves.offsetBytes + i * leaves.strideBytes);
    if (!text) continue;
    at += text.copy(bytes, at);
    bytes[at++] = 0;
  }
}

/** Writes text of four-byte characters. Differs from Trick: byte-swapped text is swapped, not zeroed; no client relies on the zeros. */
function writeWideTexts(
  { view }: ValueOutput,
  position: number,
  memory: Memory,
  leaves: Leaves,
  isByteSwapped: boolean,
): void {
  let at = position;
  const put = (code: number): void => {
    view.setUint32(at, code, !isByteSwapped);
    at += 4;
  };
  for (let i = 0; i < leaves.count; i++) {
    const text = textBytesBorrow(memory, leaves.offsetBytes + i * leaves.strideBytes);
    if (!text) continue;
    for (const character of text.toString('utf8')) put(character.codePointAt(0) as number);
    put(0);
  }
}
