// A value from elsewhere in the memory of the state.
import type { Memory } from '../../model/state/memory.js';
import { isCharacters, sizeOf, type Type } from '../../model/state/type.js';
import { storeValue } from '../../model/state/write.js';
import { leafOf, type Part } from './catalog.js';

/** Where the value of a name goes. */
export interface Placed {
  readonly path: string;
  /** Arrays of several dimensions are flat. */
  readonly type: Type;
  readonly offsetBytes: number;
  readonly sizeBytes: number;
}

/** @param baseBytes where the component of the part lies. */
export function placed({ path, type, offsetBytes }: Part, baseBytes: number): Placed {
  const sizeBytes = sizeOf(type);
  const place = { path, offsetBytes: baseBytes + offsetBytes, sizeBytes };
  if (type.kind !== 'array' || isCharacters(type)) return { ...place, type };
  const element = leafOf(type);
  const length = sizeBytes / sizeOf(element);
  return { ...place, type: { kind: 'array', element, length, isContainer: false } };
}

/**
 * @param value as a client of Trick reads it: an array of one element is its element. Throws an Error for a value that is not of
 * the type, and then stores nothing: it would lie over those beside it.
 */
export function store({ path, type, offsetBytes }: Placed, memory: Memory, value: unknown): void {
  const fit = fitting(type, value);
  if (fit === undefined) throw new Error(`the value of ${path} is not of its type`);
  storeValue(memory, type, offsetBytes, fit);
}

function fitting(type: Type, value: unknown): unknown {
  if (type.kind === 'array' && !isCharacters(type)) {
    const items = Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
    return items.length === type.length && isNumber(items[0]) ? items : undefined;
  }
  if (isCharacters(type) || type.kind === 'text') {
    const text = typeof value === 'number' ? textOf(value) : value;
    return typeof text === 'string' && hasRoom(type, text) ? text : undefined;
  }
  const number = type.kind === 'number' && typeof value === 'string' ? (value.codePointAt(0) ?? 0) : value;
  return isNumber(number) ? number : undefined;
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean';
const hasRoom = (type: Type, text: string): boolean => !isCharacters(type) || [...text].length <= type.length;
const textOf = (code: number): string => (code === 0 ? '' : String.fromCharCode(code & 0xff));
