// How a variable of a list is counted: its values, its bytes in memory, its bytes in a message.
import { sizeOf } from '../../model/type.js';
import { valuesIn } from '../../session/value-count.js';
import { LONGEST_WRITE_BYTES } from '../wire/messages.js';
import type { TrickReference } from '../wire/reference.js';

export const valueCount = ({ variable }: TrickReference): number => (variable ? valuesIn(variable.type) : 1);

/** Bytes that a variable of a list or a message takes in memory, roughly. */
export const keptBytes = ({ name }: TrickReference): number => 384 + 2 * name.length;

/** The most bytes that a variable takes in a message, roughly; no value is longer than a write. */
export function shownBytes({ variable, name }: TrickReference): number {
  const valueBytes = variable ? Math.min(3 * sizeOf(variable.type), LONGEST_WRITE_BYTES) : 0;
  return valueBytes + Buffer.byteLength(name) + 16;
}
