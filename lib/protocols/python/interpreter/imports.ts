// Import statements: modules that are there already, and files of the directories that a text may read.

import { didYouMean, nearestNames } from '../../../model/state/suggest.js';
import type * as tree from '../grammar/index.js';
import { ScriptError } from './error.js';
import type { ModuleValue, Run, ScriptValue } from './values.js';

export interface Importing {
  readonly modules: ReadonlyMap<string, ModuleValue>;
  setName(name: string, value: ScriptValue): void;
  /** The dotted name of the package that the running module is in; empty for none. */
  packageName(): string;
  /** The module that is a file; undefined when there is none. */
  load(name: string): Run<ModuleValue | undefined>;
}

export function* importModules({ modules: wanted }: tree.Import, importing: Importing): Run<void> {
  for (const { name, alias } of wanted) {
    const module = yield* find(name, importing);
    const [top = name] = name.split('.');
    // `import a.b` makes the name `a`, `import a.b as c` the name `c`.
    if (alias === undefined) importing.setName(top, yield* find(top, importing));
    else importing.setName(alias, module);
  }
}

export function* importNames({ module: wanted, names }: tree.FromImport, importing: Importing): Run<void> {
  const module = yield* find(absolute(wanted, importing), importing);
  for (const { name, alias } of names) {
    if (name === '*') importAll(module, importing);
    else importing.setName(alias ?? name, yield* attributeOf(module, name, importing));
  }
}

/** `..a` is `b.a` in the package `b.c`. */
function absolute(wanted: string, { packageName }: Importing): string {
  const name = wanted.replace(/^\.+/, '');
  const dots = wanted.length - name.length;
  if (dots === 0) return wanted;
  const own = packageName();
  if (own === '') throw new ScriptError('ImportError', 'attempted relative import with no known parent package');
  const above = own.split('.');
  if (dots > above.length) throw new ScriptError('ImportError', 'attempted relative import beyond top-level package');
  return [...above.slice(0, above.length - dots + 1), ...(name === '' ? [] : [name])].join('.');
}

function* find(name: string, { modules, load }: Importing): Run<ModuleValue> {
  const module = modules.get(name) ?? (yield* load(name));
  module?.imported?.();
  if (module) return module;
  const known = [...modules].flatMap(([one, { isNameOnly }]) => (isNameOnly || /^[a-z]+_/.test(one) ? [] : [one]));
  throw new ScriptError(
    'ImportError',
    `there is no module ${name} here, only ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`,
  );
}

function* attributeOf(module: ModuleValue, name: string, { load }: Importing): Run<ScriptValue> {
  const own = module.attribute(name);
  const value = own === undefined ? yield* load(`${module.name}.${name}`) : own;
  if (value !== undefined) return value;
  const near = didYouMean(nearestNames(name, module.names()));
  throw new ScriptError('ImportError', `cannot import name '${name}' from '${module.name}'${near}`);
}

function importAll(module: ModuleValue, { setName }: Importing): void {
  for (const name of module.names()) {
    const value = module.attribute(name);
    if (value !== undefined && !name.includes('.') && !name.startsWith('_')) setName(name, value);
  }
}
