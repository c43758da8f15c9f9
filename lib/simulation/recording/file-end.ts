// What is said in the files of a recording that has ended by itself, also where a disk is full.
import type { OpenFile } from '../files/open-file.js';
import type { RunDirectory } from '../files/run-directory.js';
import type { RowEncoder } from './row-encoder.js';

/** Ends a file of chunks, whose last ones may not have come into it. A full disk has room for the end in place of a chunk. */
export function endWithin(file: OpenFile, encoder: RowEncoder, why: string): void {
  for (let bytes: number | undefined = file.sizeBytes, isLast = false; bytes !== undefined; isLast = true) {
    bytes = encoder.backTo(bytes);
    if (bytes === undefined || (isLast && bytes <= encoder.start.length)) return;
    file.cutTo(bytes);
    try {
      file.append(encoder.end(why));
      return;
    } catch {
      if (isLast) return;
      bytes--;
    }
  }
}

/** @param header its text, without and with why it has ended. Throws an Error when there is no room. */
export function endHeader(
  files: RunDirectory,
  fileName: string,
  header: (ended?: string) => Buffer,
  why: string,
): void {
  const [name, head] = [`${fileName}.header`, `${fileName} `];
  const ended = header(why);
  try {
    files.replace(name, ended, head);
  } catch {
    // A full disk has no block for another file, but there is room in the last block of this one.
    const { length } = header();
    const file = files.create(name, head, length);
    try {
      file.append(ended.subarray(length));
    } finally {
      file.close();
    }
  }
}
