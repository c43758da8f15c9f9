// Pairs: structures of `first` and `second`, whose values may also be given as lists of two.
import { type StructType, structType, type Type } from './type.js';

/** The units and description of one of the two. */
export interface PairMember {
  readonly type: Type;
  readonly units: string;
  readonly about: string;
  readonly access: 'read-write' | 'read-only' | 'write-only';
}

/** std::pair. @param hasKey whether it is an entry of a map, whose key is not changed in place. */
export function pairType(first: PairMember, second: PairMember, name: string, hasKey: boolean): StructType {
  const key = hasKey ? ({ ...first, access: 'read-only' } as const) : first;
  return {
    ...structType(name, [
      { name: 'first', ...key },
      { name: 'second', ...second },
    ]),
    isPair: true,
  };
}

/** A structure's value by its members: a pair's list of two becomes `{ first, second }`, and the rest stays. */
export function byMembers(type: StructType, value: unknown): unknown {
  if (!type.isPair || typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return value;
  const items = [...(value as Iterable<unknown>)];
  return items.length === 2 ? { first: items[0], second: items[1] } : value;
}
