// Index files: what reading a whole recording has found, so that it is not read again. Beside it, else in the user's cache.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { RecordingFile } from './recording-file.js';

/** Smaller files are read at once. */
const LEAST_BYTES = 4e6;
const LARGEST_BYTES = 512e6;
const HEAD_BYTES = 4096;
/** It is another one when what it has changes. */
const MAGIC = 'varwire-index 2\n';
/** The magic and the length of the text behind it, at a place where numbers may follow. */
const START_BYTES = 24;

/** What an index has: facts as JSON, and numbers. */
export interface IndexContent {
  readonly facts: unknown;
  readonly numbers: readonly Float64Array[];
}

/**
 * What the index of a file has; undefined when there is none, or the file has changed since.
 * @param form what the index is of, and how the file is read.
 */
export function readIndex(file: RecordingFile, form: string): IndexContent | undefined {
  if (file.sizeBytes < LEAST_BYTES) return undefined;
  const state = stateOf(file, form);
  for (const path of pathsOf(file.path))
    try {
      if (statSync(path).size > LARGEST_BYTES) continue;
      const found = contentOf(readFileSync(path), state);
      if (found) return found;
    } catch {
      // There is none, or it is damaged.
    }
  return undefined;
}

/** Writes it where that is possible, else not at all. */
export function writeIndex(file: RecordingFile, form: string, { facts, numbers }: IndexContent): void {
  if (file.sizeBytes < LEAST_BYTES) return;
  const text = JSON.stringify({ state: stateOf(file, form), facts, lengths: numbers.map(({ length }) => length) });
  const head = Buffer.from(text.padEnd(text.length + 8 - (Buffer.byteLength(text) % 8)));
  const start = Buffer.alloc(START_BYTES);
  start.write(MAGIC);
  start.writeUInt32LE(head.length, MAGIC.length);
  const bytes = Buffer.concat([
    start,
    head,
    ...numbers.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  ]);
  if (bytes.length > LARGEST_BYTES) return;
  for (const path of pathsOf(file.path)) if (written(path, bytes)) return;
}

function written(path: string, bytes: Buffer): boolean {
  const made = `${path}.${randomUUID()}`;
  try {
    if (dirname(path) === cacheDirectory()) mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(made, bytes, { flag: 'wx' });
    renameSync(made, path);
    return true;
  } catch {
    rmSync(made, { force: true });
    return false;
  }
}

/** By what a file is known to be the same. */
function stateOf(file: RecordingFile, form: string): string {
  const head = createHash('sha256').update(file.read(0, HEAD_BYTES)).digest('hex');
  return `${form} ${file.sizeBytes} ${file.changedMillis} ${head}`;
}

const cacheDirectory = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'varwire');

/** Programs that read all .trk, .csv, .h5 or .parquet files of a directory must not take it for one. */
function pathsOf(path: string): readonly string[] {
  const whole = resolve(path);
  const name = createHash('sha256').update(whole).digest('hex').slice(0, 32);
  return [join(dirname(whole), `.${basename(whole)}.varwire-index`), join(cacheDirectory(), `${name}.varwire-index`)];
}

function contentOf(bytes: Buffer, state: string): IndexContent | undefined {
  if (bytes.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined;
  const start = START_BYTES + bytes.readUInt32LE(MAGIC.length);
  const found = JSON.parse(bytes.toString('utf8', START_BYTES, start));
  if (found.state !== state) return undefined;
  let at = bytes.byteOffset + start;
  const numbers = (found.lengths as readonly number[]).map((length) => {
    const part = new Float64Array(bytes.buffer, at, length);
    at += part.byteLength;
    return part;
  });
  return { facts: found.facts, numbers };
}
