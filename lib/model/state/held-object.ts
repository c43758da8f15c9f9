// An object as the state holds it.
import { objectType, type SimObject } from './catalog.js';
import { didYouMean, nearestNames } from './suggest.js';
import type { Member } from './type.js';

export interface HeldObject {
  readonly name: string;
  readonly number: number;
  parent: number | null;
  readonly typeName: string;
  readonly members: Member[];
  /** Whether a client has added it. */
  readonly isAdded: boolean;
  /** The cached result of `describe`, until the object changes. */
  description?: SimObject | undefined;
}

export function described(held: HeldObject): SimObject {
  const { name, number, parent, typeName, members, isAdded } = held;
  held.description ??= {
    name,
    number,
    parent,
    type: objectType(typeName, [...members]),
    ...(isAdded && { isAdded }),
  };
  return held.description;
}

/** Throws an Error for an alias that the object does not have. */
export function memberOf(held: HeldObject, alias: string): Member {
  const member = held.members.find(({ name }) => name === alias);
  if (member) return member;
  const aliases = held.members.map(({ name }) => name);
  throw new Error(`object ${held.name} has no component ${alias}${didYouMean(nearestNames(alias, aliases))}`);
}

export const takenAlias = ({ name }: HeldObject, alias: string): Error =>
  new Error(`object ${name} has a component ${alias} already`);
