// A catalog as plain data, for those who have only the catalog.
import type { Catalog, CatalogChanges, CatalogDescription } from './catalog.js';

export function describeCatalog(catalog: Catalog): CatalogDescription {
  const { version, arenaBytes, objects, events, poses, types, ownVariables: variables } = catalog;
  const functions = [...catalog.functions.values()];
  return { version, arenaBytes, objects, functions, events, poses, types, variables };
}

/** What has changed since an earlier version; undefined when that is too long ago. */
export function describeChanges(before: Catalog, now: Catalog): CatalogChanges | undefined {
  const changed = now.changedSince(before.version);
  if (!changed) return undefined;
  const names = [...changed];
  const own = new Set(before.ownVariables.map(({ name }) => name));
  const isAnother = (name: string): boolean => before.object(name)?.number !== now.object(name)?.number;
  const objects = names.flatMap((name) => now.object(name) ?? []).sort((one, other) => one.number - other.number);
  const { version, arenaBytes, events, poses, types, functions, ownVariables: variables } = now;
  return {
    from: before.version,
    ...{ version, arenaBytes, objects, variables },
    removed: names.filter((name) => own.has(name) || isAnother(name)),
    ...(functions !== before.functions && { functions: [...functions.values()] }),
    ...(events !== before.events && { events }),
    ...(poses !== before.poses && { poses }),
    ...(types !== before.types && { types }),
  };
}
