// How a variable of a list is counted: its values, its bytes in memory, its bytes in a message.
import type { Frame } from '../../../model/frame/reader.js';
import { holdsPointers } from '../../../model/state/pointers.js';
import { sizeOf } from '../../../model/state/type.js';
import { valuesIn } from '../../../serving/session/value-count.js';
import { LONGEST_WRITE_BYTES } from '../wire/messages.js';
import type { TrickReference } from '../wire/reference.js';
import { readBytes, shownElements } from '../wire/value-text.js';

export const valueCount = ({ variable }: TrickReference): number => (variable ? valuesIn(variable.type) : 1);

/** Bytes that a variable of a list or a message takes in memory, roughly. */
export const keptBytes = ({ name, requestedUnits }: TrickReference): number =>
  384 + 2 * name.length + 2 * (requestedUnits?.length ?? 0);

/**
 * Most bytes that making the message of a value may take, which decides how it is made. `shownBytes`, which bounds lists, can be
 * less: a value may be read from more memory than it shows, and what a pointer leads to may be long, and change.
 */
export const mostBytes = (reference: TrickReference): number =>
  Math.max(shownBytes(reference), reference.variable ? readBytes(reference.variable.type) : 0) +
  (isPointing(reference) ? LONGEST_WRITE_BYTES : 0);

export const isPointing = ({ variable }: TrickReference): boolean =>
  variable !== undefined && holdsPointers(variable.type);

/** The values behind pointers that messages show of a frame. */
export const valuesBehind = (pointing: readonly TrickReference[], frame: Frame): number =>
  sumOf(pointing, (reference) => {
    const leaves = reference.leavesIn(frame);
    return leaves ? shownElements(leaves.count) * valuesIn(leaves.element) : 0;
  });

/** What the variables of a list are together. */
export class ListSize {
  /** Of the message that shows the list, roughly. */
  bytes = 0;
  values = 0;
  /** As `bytes`, with the memory that is read, when all pointers lead to as much as is shown. */
  mostBytes = 0;

  add(reference: TrickReference): void {
    this.count(reference, 1);
  }

  remove(reference: TrickReference): void {
    this.count(reference, -1);
  }

  private count(reference: TrickReference, times: number): void {
    this.bytes += times * shownBytes(reference);
    this.values += times * valueCount(reference);
    this.mostBytes += times * mostBytes(reference);
  }
}

/** The most bytes that a variable takes in a message, roughly; no value is longer than a write. */
export function shownBytes({ variable, name }: TrickReference): number {
  const valueBytes = variable ? Math.min(3 * sizeOf(variable.type), LONGEST_WRITE_BYTES) : 0;
  return valueBytes + Buffer.byteLength(name) + 16;
}

export const sumOf = (references: readonly TrickReference[], bytes: (reference: TrickReference) => number): number =>
  references.reduce((sum, reference) => sum + bytes(reference), 0);
