// List messages as text: `0\t1.5\t2.5 {m}\n`. Trick: VariableServerSession::write_ascii_data
import type { Frame } from '../../../model/frame/reader.js';
import { type ListIndicator, LONGEST_WRITE_BYTES } from './messages.js';
import type { TrickReference } from './reference.js';

const TAB = 9;

/**
 * A part of the line of a list: the fields from `first` on, about as many as one write holds, and where the next part
 * begins. Joined, the parts are the line.
 */
export function asciiPart(
  indicator: ListIndicator,
  references: readonly TrickReference[],
  first: number,
  frame: Frame,
): { readonly bytes: Uint8Array; readonly end: number } {
  let text = first === 0 ? `${indicator}` : '';
  let end = first;
  while (end < references.length && text.length < LONGEST_WRITE_BYTES)
    text += (references[end++] as TrickReference).fieldIn(frame);
  return { bytes: Buffer.from(end < references.length ? text : `${text}\n`, 'latin1'), end };
}

/** Cuts a line between variables into writes of at most 8192 bytes; joined they are the line. */
export function cutLine(line: Uint8Array): Uint8Array[] {
  const writes: Uint8Array[] = [];
  let start = 0;
  while (line.length - start > LONGEST_WRITE_BYTES) {
    // A field has at most 8190 characters, so there is always a tab.
    const end = line.lastIndexOf(TAB, start + LONGEST_WRITE_BYTES);
    writes.push(line.subarray(start, end));
    start = end;
  }
  if (start < line.length) writes.push(line.subarray(start));
  return writes;
}
