// The component Name: any text that clients have given an entity, otherwise the name of its object.
import type { Catalog, SimObject } from '../model/catalog.js';

/** The most entities with a given name, and its most characters. */
export const MOST_NAMES = 10_000;
export const LONGEST_GIVEN_NAME = 256;

/** Names given by this protocol's clients that are no name of an object; an object's own name is not kept here. */
export class Names {
  /** By the number of the object, which is never used again. */
  private readonly given = new Map<number, string>();

  of({ number, name }: SimObject): string {
    return this.given.get(number) ?? name;
  }

  /** Whether there is room for one more. Forgets the names of objects that are gone. */
  hasRoom({ objects }: Catalog): boolean {
    if (this.given.size < MOST_NAMES) return true;
    const there = new Set(objects.map(({ number }) => number));
    for (const number of this.given.keys()) if (!there.has(number)) this.given.delete(number);
    return this.given.size < MOST_NAMES;
  }

  give({ number, name }: Pick<SimObject, 'number' | 'name'>, text: string): void {
    if (text === name) this.given.delete(number);
    else this.given.set(number, text);
  }
}

/** A name for the object of an entity with this Name: `Child Node 1` becomes `Child_Node_1`. */
export function objectNameOf(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 200);
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}
