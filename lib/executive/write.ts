// Applies writes to a state: all of them or none.
import { assignAll, convertFor } from '../model/assign.js';
import type { Catalog } from '../model/catalog.js';
import type { State } from '../model/state.js';
import { withZeros } from '../model/zero.js';
import { RequestError, type Write } from './request.js';

/** What writes change. */
interface Written {
  readonly state: State;
  readonly catalog: Catalog;
}

/**
 * Applies all writes or, when one does not fit or a setter refuses it, none; the state and the mirrors that had
 * accepted their values are set back. Throws a RequestError.
 * @param accept called last with the writes, their lists as long as their arrays; if it throws, all are undone.
 */
export function applyWrites(
  { catalog, state }: Written,
  writes: readonly Write[],
  accept?: (writes: readonly Write[]) => void,
): void {
  const assignments = writes.map(({ path, value, catalogVersion }) => {
    const variable = catalog.find(path);
    if (!variable) throw new RequestError(catalog.explain(path));
    // The session has checked the value. It is checked again only if the catalog has changed since or the request did
    // not come from a session: converting a list of 100,000 numbers takes longer than storing it, and the simulation
    // waits.
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
    accept?.(
      assignments.map(({ variable, value }) => ({ path: variable.path, value: withZeros(variable.type, value) })),
    );
  };
  try {
    // A mirror's setter gets the whole component, so the parts that are not written must be up to date.
    for (const component of components) state.pullMirror(component);
    assignAll(assignments, state.arena.memory, take);
  } catch (error) {
    for (const component of taken) state.pushMirror(component);
    throw new RequestError(sentenceOf(error), { cause: error });
  }
}

/** Such as `fx.all` for `fx.all.d3[1]`. */
const componentOf = (path: string): string => COMPONENT.exec(path)?.[0] ?? path;
const COMPONENT = /^[^.[]*\.[^.[]*/;

export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs `act`; an error becomes a RequestError with the same sentence. */
export function refused<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new RequestError(sentenceOf(error), { cause: error });
  }
}
