// The component Name: any text that clients have given an entity, otherwise the name of its object.
import { LIMITS } from '../../model/bounds/limits.js';
import type { Catalog, SimObject } from '../../model/state/catalog.js';
import { type Client, type Figures, Shares } from '../../model/state/fair-share.js';

/** The most entities with a given name, of which a client gets a share, and the most characters of a name. */
export const MOST_NAMES = LIMITS.entityNames.all;
export const LONGEST_GIVEN_NAME = 256;

interface Given {
  /** The number of the object, which no other one gets. */
  readonly number: number;
  readonly text: string;
  readonly by: Client;
}

/** Names given by this protocol's clients that are no name of an object; an object's own name is not kept here. */
export class Names {
  /** Names of objects that are being made. */
  readonly underway = new Set<string>();
  /** By the name of the object. */
  private readonly given = new Map<string, Given>();
  private readonly shares = new Shares();
  /** The catalog without whose objects there are no names, but for those that were given since. */
  private lookedAt: Catalog | undefined;
  private readonly givenSince = new Set<string>();

  /** How many names clients have given, and how often one was refused more. */
  get figures(): Readonly<Figures> {
    return this.shares.figures;
  }

  of({ number, name }: SimObject): string {
    const given = this.given.get(name);
    return given?.number === number ? given.text : name;
  }

  /** Throws an Error when a client may give no more names. Then the names of objects that are gone are forgotten. */
  requireRoom(catalog: Catalog, by: Client): void {
    const require = (): void => {
      const total = { all: MOST_NAMES, sum: this.given.size };
      this.shares.require(by, 1, total, (most) => `a client may have given ${most} entities a name now, not one more`);
    };
    try {
      require();
    } catch (error) {
      if (!this.forgetGone(catalog)) throw error;
      this.shares.figures.refusals--;
      require();
    }
  }

  give({ number, name }: Pick<SimObject, 'number' | 'name'>, text: string, by: Client): void {
    // The object is gone, and a new one has its name.
    if ((this.given.get(name)?.number ?? -1) > number) return;
    this.forget(name);
    if (text === name) return;
    this.given.set(name, { number, text, by });
    this.givenSince.add(name);
    this.shares.add(by, 1);
  }

  /** Whether any name was forgotten. */
  private forgetGone(catalog: Catalog): boolean {
    if (this.lookedAt === catalog) return false;
    const changed = this.lookedAt && catalog.changedSince(this.lookedAt.version);
    const doubtful = changed ? [...changed, ...this.givenSince] : [...this.given.keys()];
    this.lookedAt = catalog;
    this.givenSince.clear();
    const before = this.given.size;
    for (const name of doubtful) if (catalog.object(name)?.number !== this.given.get(name)?.number) this.forget(name);
    return this.given.size < before;
  }

  private forget(name: string): void {
    const known = this.given.get(name);
    if (known) this.shares.add(known.by, -1);
    this.given.delete(name);
    this.givenSince.delete(name);
  }
}

/** A name for the object of an entity with this Name: `Child Node 1` becomes `Child_Node_1`. */
export function objectNameOf(text: string): string {
  const name = text.replace(/[^A-Za-z0-9_]+/g, '_').slice(0, 200);
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}
