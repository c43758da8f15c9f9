// Initial values as they are declared: a function makes each element of an array from its index.
import { byMembers } from './pair.js';
import { findMember, type Type } from './type.js';

/** The same value with the results of such functions in their places. */
export function expanded(type: Type, value: unknown): unknown {
  if (type.kind === 'array') return expandedElements(type.element, type.length, value);
  if (typeof value !== 'object' || value === null) return value;
  if (type.kind === 'sequence' && Array.isArray(value)) return value.map((item) => expanded(type.element, item));
  if (type.kind !== 'struct') return value;
  const given = byMembers(type, value) as object;
  if (Symbol.iterator in given) return value;
  const members = Object.entries(given).map(([name, item]) => {
    const member = findMember(type, name);
    return [name, member ? expanded(member.type, item) : item];
  });
  return Object.fromEntries(members);
}

function expandedElements(element: Type, length: number, value: unknown): unknown {
  if (typeof value === 'function') return Array.from({ length }, (_, index) => expanded(element, value(index)));
  if (element.kind === 'number' || !Array.isArray(value)) return value;
  return value.map((item) => expanded(element, item));
}
