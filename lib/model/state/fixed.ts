// Variables that are writable until the initialization has ended, and read-only after it.
import type { Member, StructType, Type } from './type.js';
import { answeredOnce } from './walk.js';

/** Makes what is fixed in members read-only; returns whether there was something. */
export function endInitialization(members: readonly Member[]): boolean {
  let hasChanged = false;
  for (const member of members) {
    const ended = endedMember(member);
    if (ended === member) continue;
    // The same member, because others know it by its identity.
    Object.assign(member, ended);
    hasChanged = true;
  }
  return hasChanged;
}

function endedMember(member: Member): Member {
  const type = endedType(member.type);
  if (!member.fixed && type === member.type) return member;
  const { fixed, ...others } = member;
  return { ...others, type, ...(fixed && { access: 'read-only' }) };
}

/** The type with read-only members, which lie where they lay; the same type when none of them is fixed. */
const endedType: (type: Type) => Type = answeredOnce((type) => {
  if (type.kind === 'array') {
    const element = endedType(type.element);
    return element === type.element ? type : { ...type, element };
  }
  if (type.kind !== 'struct') return type;
  const members = type.members.map(endedMember);
  return members.every((member, i) => member === type.members[i]) ? type : ({ ...type, members } satisfies StructType);
});
