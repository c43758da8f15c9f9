// Recorded variables from one catalog to the next: only what has changed is looked up again.
import { isDeepStrictEqual } from 'node:util';
import type { Catalog } from '../../model/state/catalog.js';
import { isSameType } from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import type { Recordable } from './row.js';

/** An object's component, or a variable of its own with at most one member: what paths begin with. */
const ROOT = /^([^.[]*)(?:\.[^.[]*)?/;

/** What some of the variables lie in. */
interface Root {
  variable: Variable;
  /** Which variables lie in it. */
  readonly indices: number[];
}

export class FollowedVariables {
  private readonly all: Recordable[];
  /** By their paths. */
  private readonly roots = new Map<string, Root>();
  /** By the object or variable that they belong to. */
  private readonly byTop = new Map<string, Root[]>();

  constructor(variables: readonly Recordable[], catalog: Catalog) {
    this.all = [...variables];
    for (const [index, { variable }] of variables.entries()) {
      const [path, top] = ROOT.exec(variable.path) as unknown as [string, string];
      const root = this.roots.get(path) ?? this.addRoot(path, top, catalog);
      root.indices.push(index);
    }
  }

  get variables(): readonly Recordable[] {
    return this.all;
  }

  /** Paths of the components that the variables lie in. */
  get components(): Iterable<string> {
    return this.roots.keys();
  }

  /**
   * Finds the variables where they lie now.
   * @param changed names of objects and variables that have changed since.
   * @returns false when that takes more than a look at what holds them: it has gone or is of another type.
   */
  follow(changed: ReadonlySet<string>, catalog: Catalog): boolean {
    for (const name of changed) {
      for (const root of this.byTop.get(name) ?? []) if (!this.followRoot(root, catalog)) return false;
    }
    return true;
  }

  private addRoot(path: string, top: string, catalog: Catalog): Root {
    const root = { variable: catalog.find(path) as Variable, indices: [] };
    this.roots.set(path, root);
    if (!this.byTop.get(top)?.push(root)) this.byTop.set(top, [root]);
    return root;
  }

  private followRoot(root: Root, catalog: Catalog): boolean {
    const before = root.variable;
    const now = catalog.find(before.path);
    if (!now || !isAlike(before, now)) return false;
    root.variable = now;
    const shiftBytes = now.offsetBytes - before.offsetBytes;
    for (const index of shiftBytes === 0 ? [] : root.indices) {
      const { name, variable } = this.all[index] as Recordable;
      this.all[index] = { name, variable: { ...variable, offsetBytes: variable.offsetBytes + shiftBytes } };
    }
    return true;
  }
}

/** Whether all that lies in both is the same but for its place. */
const isAlike = (one: Variable, other: Variable): boolean =>
  one.units === other.units &&
  (isSameType(one.type, other.type) || isDeepStrictEqual(one.type, other.type)) &&
  isDeepStrictEqual(one.hops, other.hops);
