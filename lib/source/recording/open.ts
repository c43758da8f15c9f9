// Opens a recording of any form that is known, by what the file begins with.
import { existsSync } from 'node:fs';
import { CsvRecording } from './csv.js';
import type { Recording } from './recording.js';
import { RecordingFile } from './recording-file.js';
import { isTrk, TrkRecording } from './trk.js';

/** How a recording is read. */
export interface OpenOptions {
  /** The column of times in a text that is not Trick's. Default: guessed from names and numbers. */
  readonly time?: string;
}

/**
 * Opens a recording: a .trk file of Trick 05, 07 or 10, or a text: Trick's and varwire's .csv and .txt, and tables of
 * other programs. The .header file of a recording stands for it. It stays open until `close`, and may still be written.
 * Throws an Error with one sentence for a file that cannot be read, is damaged, or has no times.
 */
export function openRecording(path: string, { time }: OpenOptions = {}): Recording {
  const file = RecordingFile.open(besideHeader(path));
  try {
    return isTrk(file) ? new TrkRecording(file) : new CsvRecording(file, time);
  } catch (error) {
    file.close();
    throw error;
  }
}

/** The recording that a .header file belongs to. */
function besideHeader(path: string): string {
  const base = /^(.*)\.header$/s.exec(path)?.[1];
  const files = base === undefined ? [] : ['trk', 'csv', 'txt'].map((extension) => `${base}.${extension}`);
  return files.find((file) => existsSync(file)) ?? path;
}
