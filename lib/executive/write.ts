// Writes carried out on a state: all of them or none.
import { assignAll, convertFor } from '../model/assign.js';
import type { Catalog } from '../model/catalog.js';
import type { State } from '../model/state.js';
import { RequestError, type Write } from './request.js';

/** What writes change. */
interface Written {
  readonly state: State;
  readonly catalog: Catalog;
}

/**
 * Applies all writes or, when one does not fit, none: what one write's setter refuses undoes all of them, for the state
 * and for the mirrors that had taken theirs. Throws a RequestError.
 * @param accept hears of them last, and refuses them all by what it throws.
 */
export function applyWrites(
  { catalog, state }: Written,
  writes: readonly Write[],
  accept: (writes: readonly Write[]) => void = () => undefined,
): void {
  const assignments = writes.map(({ path, value, catalogVersion }) => {
    const variable = catalog.find(path);
    if (!variable) throw new RequestError(catalog.explain(path));
    // Checked at the door already, for an early sentence; again only if the catalog has changed since, or for a request
    // from elsewhere: converting a list of 100,000 numbers takes longer than storing it, and the simulation waits.
    if (catalogVersion === catalog.version) return { variable, value };
    return { variable, value: refused(() => convertFor(variable, value)) };
  });
  const components = [...new Set(assignments.map(({ variable }) => componentOf(variable.path)))];
  const taken: string[] = [];
  const take = () => {
    for (const component of components) {
      state.pushMirror(component);
      taken.push(component);
    }
    accept(assignments.map(({ variable, value }) => ({ path: variable.path, value })));
  };
  try {
    // A mirror's setter gets the whole component: what is not written must be up to date.
    for (const component of components) state.pullMirror(component);
    assignAll(assignments, state.arena.memory, take);
  } catch (error) {
    for (const component of taken) state.pushMirror(component);
    throw new RequestError(sentenceOf(error), { cause: error });
  }
}

/** `fx.all` of `fx.all.d3[1]`. */
const componentOf = (path: string): string => path.match(/^[^.[]*\.[^.[]*/)?.[0] ?? path;

export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs, and turns what is thrown into a RequestError with the same sentence. */
export function refused<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RequestError(sentenceOf(error), { cause: error });
  }
}
