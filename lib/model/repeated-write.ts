// Storing a value at one place again and again, as mirrored components are: what can be worked out once is.
import type { Memory } from './memory.js';
import type { StructType, Type } from './type.js';
import { checkValue, storeValue, writeValue } from './write.js';

/** Stores a value, or throws what `writeValue` throws and stores nothing. */
export type RepeatedWrite = (memory: Memory, value: unknown) => void;

/** @param where what sentences call the place. */
export function repeatedWrite(type: Type, offset: number, where: string): RepeatedWrite {
  if (type.kind === 'struct') return membersWrite(type, offset, where);
  return (memory, value) => writeValue(memory, type, offset, value, where);
}

function membersWrite(type: StructType, offset: number, where: string): RepeatedWrite {
  const members = type.members.map((member) => ({
    name: member.name,
    type: member.type,
    offset: offset + member.offsetBytes,
    where: `${where}.${member.name}`,
  }));
  return (memory, value) => {
    if (typeof value !== 'object' || value === null) {
      writeValue(memory, type, offset, value, where);
      return;
    }
    const items = value as Readonly<Record<string, unknown>>;
    let known = 0;
    for (const member of members) {
      const item = items[member.name];
      if (item === undefined) continue;
      checkValue(member.type, item, member.where);
      known++;
    }
    // Something else is in it: a name that no member has, or one given as undefined.
    if (known !== Object.keys(items).length) checkValue(type, value, where);
    for (const member of members) {
      const item = items[member.name];
      if (item !== undefined) storeValue(memory, member.type, member.offset, item);
    }
  };
}
