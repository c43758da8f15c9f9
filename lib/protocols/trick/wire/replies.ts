// Messages other than lists: one number, a file, or printed text of a block; wire/messages.ts has their layouts.
import type { Catalog } from '../../../model/state/catalog.js';
import type { Memory } from '../../../model/state/memory.js';
import { locate } from '../../../model/state/variable.js';
import type { ListFormat } from './list-format.js';
import { MESSAGES } from './messages.js';

type Form = ListFormat['form'];

export function encodeExists(isThere: boolean, form: Form): Uint8Array {
  const { indicator } = MESSAGES.varExists;
  const answer = isThere ? 1 : 0;
  return form === 'ascii' ? line(indicator, answer) : Buffer.concat([int32s(indicator), Buffer.of(answer)]);
}

export function encodeListSize(length: number, form: Form): Uint8Array {
  const { indicator } = MESSAGES.listSize;
  return form === 'ascii' ? line(indicator, length) : int32s(indicator, 0, length);
}

/** @param elements undefined for a variable that is no container. */
export function encodeStlSize(elements: number | undefined, form: Form): Uint8Array {
  const { indicator } = MESSAGES.stlSize;
  return form === 'ascii' ? line(indicator, elements ?? 'BAD_REF') : int32s(indicator, elements ?? 0);
}

const LARGE_FILE_BYTES = 256 * 1024;

/** @param bytes undefined when there is no such file. */
export function encodeFile(bytes: Uint8Array | undefined, isDatagram: boolean): readonly Uint8Array[] {
  const head = line(MESSAGES.file.indicator, bytes ? bytes.length : -1);
  if (!bytes) return [head];
  if (bytes.length < LARGE_FILE_BYTES) return [Buffer.concat([head, bytes])];
  // Copying many megabytes behind their head would take long. No datagram holds so much: it is dropped with its head.
  return isDatagram ? [bytes] : [head, bytes];
}

export type StdioStream = 'stdout' | 'stderr';
const STREAM_NUMBERS = { stdout: 1, stderr: 2 } as const;

/** One write of a block. */
export function encodeStdio(stream: StdioStream, text: string): Uint8Array {
  const bytes = Buffer.from(text);
  const head = `${MESSAGES.stdio.indicator} ${STREAM_NUMBERS[stream]} ${bytes.length}\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

const line = (indicator: number, answer: number | string): Buffer => Buffer.from(`${indicator}\t${answer}\n`, 'latin1');

/** Little-endian, whatever var_byteswap says. */
function int32s(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index);
  return bytes;
}

/** Whether there is a variable of this name now; structures count, `time` does not. Trick: var_exists */
export function existsIn(name: string, catalog: Catalog, memory: Memory): boolean {
  const variable = catalog.find(name);
  return variable !== undefined && locate(variable, memory) >= 0;
}

/** Number of elements that a container holds now; undefined for a variable that is no container. */
export function containerSizeIn(name: string, catalog: Catalog, memory: Memory): number | undefined {
  const variable = catalog.find(name);
  const offset = variable ? locate(variable, memory) : -1;
  if (!variable || offset < 0) return undefined;
  const { type } = variable;
  if (type.kind === 'sequence') return memory.view.getUint32(offset, true);
  return type.kind === 'array' && type.isContainer ? type.length : undefined;
}
