// Functions of the simulation whose path goes through names of nothing else: `dyn.plan.clear` where dyn has no plan.
import type { Catalog } from '../../../model/state/catalog.js';
import type { ModuleValue } from '../../python/index.js';
import { simFunction } from './trick-module.js';

type Functions = Catalog['functions'];

/** The beginnings of all paths, for each state of the functions. */
const beginnings = new WeakMap<Functions, ReadonlySet<string>>();

function beginningsOf(functions: Functions): ReadonlySet<string> {
  const known = beginnings.get(functions);
  if (known) return known;
  const found = new Set<string>();
  for (const name of functions.keys())
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) found.add(name.slice(0, dot));
  beginnings.set(functions, found);
  return found;
}

/** What stands at a path: a function, or what has functions below it; undefined for anything else. */
export function functionAt(
  path: string,
  functions: Functions,
): ReturnType<typeof simFunction> | ModuleValue | undefined {
  if (functions.has(path)) return simFunction(path);
  if (!beginningsOf(functions).has(path)) return undefined;
  const start = `${path}.`;
  return {
    kind: 'module',
    name: path,
    attribute: (name) => functionAt(`${start}${name}`, functions),
    names: () => [...functions.keys()].filter((name) => name.startsWith(start)).map((name) => name.slice(start.length)),
  };
}
