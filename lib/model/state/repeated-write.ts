// Prepares a write that is repeated at one place, as for mirrored components, so that each repetition is fast.
import type { Memory } from './memory.js';
import type { StructType, Type } from './type.js';
import { checkValue, storeValue, writeValue } from './write.js';

/** Stores a value. Throws what `writeValue` throws, and then stores nothing. */
export type RepeatedWrite = (memory: Memory, value: unknown) => void;

/** @param where the name of the place in sentences. */
export function repeatedWrite(type: Type, offset: number, where: string): RepeatedWrite {
  if (type.kind === 'struct') return membersWrite(type, offset, where);
  return (memory, value) => writeValue(memory, type, offset, value, where);
}

function membersWrite(type: StructType, offset: number, where: string): RepeatedWrite {
  const members = new Map(
    type.members.map((member) => [
      member.name,
      { type: member.type, offset: offset + member.offsetBytes, where: `${where}.${member.name}` },
    ]),
  );
  return (memory, value) => {
    const names = isRecord(value) ? Object.keys(value) : [];
    // writeValue has the sentences for a value that is not an object and for unknown members.
    if (!isRecord(value) || !names.every((name) => members.has(name))) {
      writeValue(memory, type, offset, value, where);
      return;
    }
    for (const name of names) {
      const member = members.get(name);
      if (member && value[name] !== undefined) checkValue(member.type, value[name], member.where);
    }
    for (const name of names) {
      const member = members.get(name);
      if (member && value[name] !== undefined) storeValue(memory, member.type, member.offset, value[name]);
    }
  };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(Symbol.iterator in value);
