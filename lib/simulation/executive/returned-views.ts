// What a simulation's build returns: views by the names of their objects, which give clients their types.
import { Catalog } from '../../model/state/catalog.js';
import type { State } from '../../model/state/state.js';

/** Throws an Error for a view or value that stands under another name than its variable. */
export function requireNames(state: State, returned: unknown): void {
  if (typeof returned !== 'object' || returned === null) return;
  const isOfObject = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && state.arena.extentOf(value) === undefined;
  const named = Object.entries(returned).filter(([, value]) => isOfObject(value));
  if (named.length === 0) return;
  const catalog = new Catalog(state.describe());
  for (const [object, views] of named) {
    for (const [component, view] of Object.entries(views as object)) {
      const path = `${object}.${component}`;
      if (typeof view !== 'function' && !isNamed(state, catalog, path, view))
        throw new Error(`the build returns ${path}, but there is no such variable: return views under their own names`);
    }
  }
}

function isNamed(state: State, catalog: Catalog, path: string, view: unknown): boolean {
  const variable = catalog.find(path);
  const extent = typeof view === 'object' && view !== null ? state.arena.extentOf(view) : undefined;
  return variable !== undefined && (extent === undefined || extent.offsetBytes === variable.offsetBytes);
}
