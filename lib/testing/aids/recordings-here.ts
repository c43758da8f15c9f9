// Recordings in a directory of their own, which are closed and removed after each test.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { playRecording } from '../../run/serve/feed.js';
import { openRecording } from '../../source/recording/open.js';
import type { Recording } from '../../source/recording/recording.js';

export function recordingsHere() {
  let directory: string;
  const opened: Recording[] = [];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recordings-'));
  });
  afterEach(() => {
    for (const recording of opened.splice(0)) recording.close();
    rmSync(directory, { recursive: true });
  });
  const path = (name: string): string => join(directory, name);
  const open = (file: string | readonly string[]): Recording => {
    const recording = openRecording(file);
    opened.push(recording);
    return recording;
  };
  return {
    path,
    open,
    /** Files as a source that is played. */
    source: (...files: string[]) => playRecording(open(files)).source,
    /** Writes a file and opens it. */
    of: (name: string, content: string | Uint8Array): Recording => {
      writeFileSync(path(name), content);
      return open(path(name));
    },
  };
}

/** The values of all variables, by name. */
export const tableOf = (recording: Recording): Record<string, unknown> =>
  Object.fromEntries(recording.columns.map((column) => [column.name, recording.values(column)]));
