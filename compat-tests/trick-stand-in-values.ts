// What the stand-in for NASA's Trick holds at its start, and its bytes.
import { doubleBytes } from '../lib/testing/aids/scripted-server.js';

export type Kind = 'double' | 'int' | 'enum' | 'text';
export interface Held {
  readonly kind: Kind;
  readonly units?: string;
  readonly extents?: readonly number[];
  /** A std::vector: its elements have values, the whole has none. */
  readonly isContainer?: true;
  values: number[];
}

export const FRAME_MILLIS = 20;
export const CODES = { double: 11, int: 6, enum: 21, text: 3 } as const;
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
  const bytes = Buffer.alloc(4 * values.length);
  for (const [index, value] of values.entries()) bytes.writeInt32LE(value, 4 * index);
  return bytes;
}
