// What the stand-in for NASA's Trick holds at its start, and its bytes.
import { doubleBytes } from '../lib/testing/aids/scripted-server.js';

export type Kind = 'double' | 'int' | 'byte' | 'enum' | 'text' | 'wide';
export interface Held {
  readonly kind: Kind;
  readonly units?: string;
  readonly extents?: readonly number[];
  /** A std::vector: its elements have values, the whole has none. */
  readonly isContainer?: true;
  values: number[];
}

export const FRAME_MILLIS = 20;
export const CODES = { double: 11, int: 6, byte: 2, enum: 21, text: 3, wide: 19 } as const;
const FEET = 0.3048;
/** What it prints of a container as a whole is its memory. */
const MEMORY = '140540993627776';
const thirds = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1 / 3);

/** The variables of the description, and Trick's own that tell of time and mode. */
export const heldAtStart = (): Record<string, Held> => ({
  'fx.x': { kind: 'int', units: 'm', values: [3] },
  'fx.d': { kind: 'double', units: 'm', values: [1.5] },
  'fx.big': { kind: 'double', units: 'm', extents: [600], values: thirds(600) },
  'fx.huge': { kind: 'double', units: 'm', extents: [1500], values: thirds(1500) },
  'fx.grid': { kind: 'double', units: 'm', extents: [2, 600], values: thirds(1200) },
  'fx.one': { kind: 'double', extents: [1], values: [2.5] },
  'fx.vd': { kind: 'double', isContainer: true, extents: [3], values: [10, 20, 30] },
  'fx.phase': { kind: 'enum', values: [7] },
  'fx.colour': { kind: 'enum', values: [2] },
  // The codes of its characters.
  'fx.words': { kind: 'text', values: [111, 107] },
  'odd.byte': { kind: 'byte', values: [5] },
  'odd.wide': { kind: 'wide', values: [0x3c0] },
  'odd.list': { kind: 'double', isContainer: true, extents: [2], values: [1, 2] },
  // Behind a pointer, of which another one is null.
  'odd.spare[0].reading': { kind: 'double', values: [4.5] },
  'trick_sys.sched.mode': { kind: 'int', values: [5] },
  'trick_sys.sched.time_tics': { kind: 'int', values: [1000] },
  'trick_sys.sched.time_tic_value': { kind: 'int', values: [1000] },
  'trick_sys.sched.software_frame': { kind: 'double', values: [FRAME_MILLIS / 1000] },
  'trick_sys.sched.frame_count': { kind: 'int', values: [50] },
  'trick_sys.sched.freeze_frame_count': { kind: 'int', values: [0] },
});

export function bytesOf(kind: Kind, values: readonly number[]): Buffer {
  if (kind === 'double') return Buffer.concat(values.map(doubleBytes));
  if (kind === 'text') return Buffer.from([...values, 0]);
  if (kind === 'byte') return Buffer.from(values);
  if (kind === 'wide') return bytesOf('int', [...values, 0]);
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index);
  return bytes;
}

/** A value as ASCII replies have it. @param values none for a container as a whole. */
export function asciiOf({ kind, units: own, isContainer }: Held, values: readonly number[], units?: string): string {
  if (kind === 'text') return String.fromCodePoint(...values);
  const isFeet = units === 'ft' && own === 'm';
  const isWhole = isContainer && values.length === 0;
  const shown = isWhole ? MEMORY : values.map((value) => String(isFeet ? value / FEET : value)).join(',');
  if (units === undefined) return shown;
  if (isFeet) return `${shown} {ft}`;
  return units === 'xx' || units === own ? `${shown} {${own ?? '--'}}` : shown;
}

/** What `var_set` of a literal stores: the lowest bits of a number, and 0 for text that is none. */
export function stored({ kind, units: own }: Held, given: string, units: string | undefined): number[] {
  if (kind === 'text') return [...Buffer.from(given)];
  if (kind === 'wide') return narrowed(given);
  const number = units === 'ft' && own === 'm' ? Number(given) * FEET : Number(given);
  if (kind === 'double') return [number || 0];
  return [kind === 'byte' ? number & 0xff : Math.trunc(number) || 0];
}

/** Wide text gets the bytes of narrow text: four of them are one character. */
function narrowed(given: string): number[] {
  const bytes = Buffer.alloc(4 * Math.ceil(given.length / 4));
  bytes.write(given, 'latin1');
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(4 * index));
}

/** Whether an array takes a list: nested as the array is, and no longer. */
export function isInShape(list: readonly unknown[], [extent = 0, ...inner]: readonly number[]): boolean {
  const isOne = (item: unknown) =>
    inner.length === 0 ? typeof item === 'number' : Array.isArray(item) && isInShape(item, inner);
  return list.length <= extent && list.every(isOne);
}
