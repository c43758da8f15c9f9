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

/** @param value as a client of Trick reads it: an array of one element is its element. */
export function store({ type, offsetBytes }: Placed, memory: Memory, value: unknown): void {
  storeValue(memory, type, offsetBytes, fitting(type, value));
}

function fitting(type: Type, value: unknown): unknown {
  if (isCharacters(type)) return typeof value === 'number' ? textOf(value) : value;
  if (type.kind === 'array') return Array.isArray(value) ? value.flat(Number.POSITIVE_INFINITY) : [value];
  return type.kind === 'number' && typeof value === 'string' ? (value.codePointAt(0) ?? 0) : value;
}

const textOf = (code: number): string => (code === 0 ? '' : String.fromCharCode(code & 0xff));
