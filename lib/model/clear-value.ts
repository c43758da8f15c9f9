// Sets values to nothing: zero, an empty list or text, a null text or pointer.
import type { Memory } from './memory.js';
import { isNullableText, NULL_TEXT, strideOf, type Type } from './type.js';

/** Clears a value, and the bytes up to its whole size. */
export function clearValue(type: Type, memory: Memory, offset: number, sizeBytes: number): void {
  memory.bytes.fill(0, offset, offset + sizeBytes);
  clearTexts(type, memory, offset);
}

/** Sets pointers to text to null; the rest of the value is zero already. */
function clearTexts(type: Type, memory: Memory, offset: number): void {
  if (isNullableText(type)) memory.view.setUint32(offset, NULL_TEXT, true);
  else if (type.kind === 'struct') {
    for (const member of type.members) clearTexts(member.type, memory, offset + member.offsetBytes);
  } else if (type.kind === 'array' && type.element.kind !== 'number') {
    for (let index = 0; index < type.length; index++) {
      clearTexts(type.element, memory, offset + index * strideOf(type.element));
    }
  }
}
