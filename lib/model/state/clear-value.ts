// Sets values to nothing: zero, an empty list or text, a null text or pointer.
import type { Memory } from './memory.js';
import { bytesOfPiece, piecesOf, type Values } from './pieces.js';
import { isNullableText, NULL_TEXT, strideOf, type Type } from './type.js';
import { answeredOnce, typesIn } from './walk.js';

/** Clears values that lie side by side, and the bytes up to their whole size. */
export function clearValues(type: Type, memory: Memory, offset: number, count: number, sizeBytes: number): void {
  memory.bytes.fill(0, offset, offset + sizeBytes);
  clearTexts(type, memory, offset, count);
}

/** Clears values in steps. */
export function* clearing(values: Values, memory: Memory): Generator<void, void> {
  let isFirst = true;
  for (const piece of piecesOf(values)) {
    if (!isFirst) yield;
    isFirst = false;
    clearValues(piece.type, memory, piece.offsetBytes, piece.count, bytesOfPiece(piece));
  }
}

/** Sets pointers to text to null; the rest of the values is zero already. */
function clearTexts(type: Type, memory: Memory, offset: number, count: number): void {
  if (!holdsNullableTexts(type)) return;
  if (type.kind === 'array') {
    clearTexts(type.element, memory, offset, count * type.length);
    return;
  }
  const stride = strideOf(type);
  for (let index = 0, at = offset; index < count; index++, at += stride) {
    if (type.kind !== 'struct') memory.view.setUint32(at, NULL_TEXT, true);
    else for (const member of type.members) clearTexts(member.type, memory, at + member.offsetBytes, 1);
  }
}

/** Whether a cleared value has texts that are null; a list is empty, whatever it may hold. */
const holdsNullableTexts = answeredOnce(
  (type): boolean =>
    isNullableText(type) ||
    (type.kind !== 'sequence' && type.kind !== 'pointer' && typesIn(type).some(holdsNullableTexts)),
);
