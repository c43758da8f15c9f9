// How many single values a variable has, for the accounts of the clients that ask for it.
import { isCharacters, type Type } from '../model/type.js';
import type { Reference } from './reference.js';

/** A sequence counts with its capacity; a pointer counts as one. */
export function valuesIn(type: Type): number {
  if (isCharacters(type)) return 1;
  if (type.kind === 'array') return type.length * valuesIn(type.element);
  if (type.kind === 'sequence') return type.capacity * valuesIn(type.element);
  if (type.kind === 'struct') return type.members.reduce((sum, member) => sum + valuesIn(member.type), 0);
  return 1;
}

export const valuesOf = (references: readonly Reference[]): number =>
  references.reduce((sum, { current }) => sum + (current ? valuesIn(current.type) : 0), 0);
