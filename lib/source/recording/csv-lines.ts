// The lines of a file of text, read piece by piece.
import type { RecordingFile } from './recording-file.js';

const PIECE_BYTES = 128 * 1024;
const LONGEST_LINE_BYTES = 4 * 1024 * 1024;
const MOST_FIRST_LINES = 300;

export interface Line {
  /** Without the end of the line. */
  readonly text: string;
  /** Where it begins in the file. */
  readonly offset: number;
  /** False for a last line that does not end. */
  readonly isEnded: boolean;
}

/** The lines from one that begins at an offset. Throws an Error for one that is too long. */
export function* linesOf(file: RecordingFile, start: number, pieceBytes = PIECE_BYTES): Generator<Line> {
  let [offset, kept] = [start, Buffer.alloc(0)];
  while (offset + kept.length < file.sizeBytes) {
    const bytes = Buffer.concat([kept, file.read(offset + kept.length, Math.max(pieceBytes, kept.length))]);
    let from = 0;
    for (let end = bytes.indexOf(10, kept.length); end >= 0; end = bytes.indexOf(10, from)) {
      yield { text: textOf(bytes, from, end, offset + from), offset: offset + from, isEnded: true };
      from = end + 1;
    }
    offset += from;
    kept = bytes.subarray(from);
    if (kept.length > LONGEST_LINE_BYTES) throw new Error(`${file.path} has a line of more than 4 MB`);
  }
  if (kept.length > 0) yield { text: textOf(kept, 0, kept.length, offset), offset, isEnded: false };
}

function textOf(bytes: Buffer, from: number, end: number, offset: number): string {
  const text = bytes.toString('utf8', from, bytes[end - 1] === 13 && end > from ? end - 1 : end);
  // A mark of the byte order.
  return offset === 0 && text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** The lines by which the form of a file is known. Throws an Error for a file that is no text. */
export function firstLines(file: RecordingFile): readonly Line[] {
  const lines: Line[] = [];
  for (const line of linesOf(file, 0)) {
    if (line.text.includes('\0')) throw new Error(`${file.path} is neither a .trk file nor text`);
    lines.push(line);
    if (lines.length === MOST_FIRST_LINES) break;
  }
  return lines;
}
