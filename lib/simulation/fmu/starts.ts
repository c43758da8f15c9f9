// Start values of a description in the state, where clients and `--set` change them before the run.
import type { Memory } from '../../model/state/memory.js';
import { writeNumber, writeText } from '../../model/state/memory.js';
import { cellOf, strideOf, type Type } from '../../model/state/type.js';
import type { Placed } from './cells.js';

/** Stores what the description says; a value that cannot be read is 0. */
export function storeStart(memory: Memory, { leaf, offsetBytes }: Placed): void {
  const { start, startTexts, type: fmuType } = leaf.variable;
  if (start === undefined) return;
  const single = singleOf(leaf.declared.type);
  const texts = fmuType === 'String' ? startTexts : start.trim().split(/\s+/);
  const count = leaf.extents.reduce((product, length) => product * length, 1);
  for (let i = 0; i < count; i++) {
    // A single start value is that of all elements.
    const text = texts[texts.length === 1 ? 0 : i];
    if (text !== undefined) storeOne(memory, single, offsetBytes + i * strideOf(single), text);
  }
}

const singleOf = (type: Type): Type => (type.kind === 'array' ? singleOf(type.element) : type);

function storeOne(memory: Memory, type: Type, offset: number, text: string): void {
  if (type.kind === 'text') writeText(type, memory, offset, fitting(text, type.capacityBytes));
  else if (type.kind === 'enumeration') writeNumber(cellOf(type), memory, offset, Number(text) || 0);
  else if (type.kind === 'number') writeNumber(type.name, memory, offset, numberOf(text, type.name.includes('long')));
}

function numberOf(text: string, isBig: boolean): number | bigint {
  if (text === 'true') return 1;
  if (text === 'false') return 0;
  if (isBig) return /^[-+]?\d{1,20}$/.test(text) ? BigInt(text.replace(/^\+/, '')) : 0n;
  const number = Number(text.replace(/INF$/i, 'Infinity'));
  return Number.isNaN(number) && !/^nan$/i.test(text) ? 0 : number;
}

/** The beginning of a text that has so many bytes. */
export function fitting(text: string, bytes: number): string {
  const whole = Buffer.from(text);
  return whole.length <= bytes
    ? text
    : whole
        .subarray(0, bytes)
        .toString()
        .replace(/\uFFFD$/, '');
}
