// The bytes of a component in a frame, to see whether it has changed.
import type { Frame } from '../frame/reader.js';
import { holdsPointers } from '../model/pointers.js';
import { readVariable } from '../model/read.js';
import { sizeOf } from '../model/type.js';
import type { Variable } from '../model/variable.js';
import { valueText } from './value.js';

/** Whether a component has these bytes in a frame. */
export function hasBytes(frame: Frame, variable: Variable, kept: Uint8Array): boolean {
  const { type, offsetBytes } = variable;
  if (holdsPointers(type)) return bytesOf(frame, variable).equals(kept);
  return frame.memory.bytes.compare(kept, 0, kept.length, offsetBytes, offsetBytes + sizeOf(type)) === 0;
}

/** A copy of the component's bytes; of one with pointers, its text. */
export function bytesOf(frame: Frame, variable: Variable): Buffer {
  const { type, offsetBytes } = variable;
  if (holdsPointers(type)) return Buffer.from(textOf(frame, variable));
  return Buffer.from(frame.memory.bytes.subarray(offsetBytes, offsetBytes + sizeOf(type)));
}

/** The component's value as JSON text. */
export const textOf = (frame: Frame, variable: Variable): string =>
  variable.access === 'write-only' ? 'null' : valueText(variable.type, readVariable(variable, frame.memory) ?? null);
