// The bytes of a component in a frame, to see whether it has changed.
import type { Frame } from '../../model/frame/reader.js';
import { holdsPointers } from '../../model/state/pointers.js';
import { sizeOf } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import { AnswerText } from '../json-rpc/answer-text.js';
import { TakenValues } from '../json-rpc/taken-values.js';
import { BRP_STYLE } from './value.js';

/** Whether a component has these bytes in a frame. */
export function hasBytes(frame: Frame, variable: Variable, kept: Uint8Array): boolean {
  const { type, offsetBytes } = variable;
  if (holdsPointers(type)) return takenFrom(frame, variable).hasMark(kept);
  return frame.memory.bytes.compare(kept, 0, kept.length, offsetBytes, offsetBytes + sizeOf(type)) === 0;
}

/** A copy of the component's bytes; of a component with pointers, also of the values that they point at. */
export function bytesOf(frame: Frame, variable: Variable): Buffer {
  const { type, offsetBytes } = variable;
  if (holdsPointers(type)) return takenFrom(frame, variable).take().mark;
  return Buffer.from(frame.memory.bytes.subarray(offsetBytes, offsetBytes + sizeOf(type)));
}

/**
 * The component's value as JSON text, of a copy of it.
 * @param turn what a long text waits for; without one it is made at once.
 */
export function textOf(frame: Frame, variable: Variable, turn?: Turn): AnswerText | Promise<AnswerText> {
  if (variable.access === 'write-only') return AnswerText.encoded('null');
  const text = new AnswerText();
  const done = (): AnswerText => {
    text.encode();
    return text;
  };
  const later = takenFrom(frame, variable).take().writeText(text, 0, turn);
  return later ? later.then(done) : done();
}

type Turn = () => Promise<void>;

/** How much there is to copy before a component's text is written. */
export const bytesToCopy = (frame: Frame, variable: Variable): number =>
  holdsPointers(variable.type) ? takenFrom(frame, variable).sizeBytes : sizeOf(variable.type);

/** How many bytes copies of components have, as large as they are in a frame. */
export const keptBytesOf = (frame: Frame, variables: readonly Variable[]): number =>
  variables.reduce((sum, variable) => sum + keptBytesAt(frame, variable), 0);

export function keptBytesAt(frame: Frame, variable: Variable): number {
  const isShown = holdsPointers(variable.type) && frame.shows(variable);
  return Math.max(sizeOf(variable.type), isShown ? bytesToCopy(frame, variable) : 0);
}

const takenFrom = (frame: Frame, variable: Variable): TakenValues =>
  new TakenValues([{ current: variable, conversion: undefined }], frame, BRP_STYLE);
