// List messages as text: `0\t1.5\t2.5 {m}\n`. Trick: VariableServerSession::write_ascii_data
import type { Frame } from '../../frame/reader.js';
import { joinedInPieces } from './joined-pieces.js';
import { type ListIndicator, LONGEST_WRITE_BYTES } from './messages.js';
import type { TrickReference } from './reference.js';

const TAB = 9;

/** Characters that are written between two yields, which take a tenth of a millisecond or two. */
const PIECE_CHARACTERS = 4096;

/** The line of a list; nothing for an empty list. Yields between pieces; the frame must not change meanwhile. */
export function* asciiInPieces(
  indicator: ListIndicator,
  references: readonly TrickReference[],
  frame: Frame,
): Generator<void, Uint8Array> {
  if (references.length === 0) return new Uint8Array();
  const pieces: Buffer[] = [];
  let text = `${indicator}`;
  for (const reference of references) {
    text += reference.fieldIn(frame);
    if (text.length < PIECE_CHARACTERS) continue;
    pieces.push(Buffer.from(text, 'latin1'));
    text = '';
    yield;
  }
  pieces.push(Buffer.from(`${text}\n`, 'latin1'));
  return yield* joinedInPieces(pieces);
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
