// Import statements, which can only name modules that are there already.
import type * as tree from '../../../grammar/trick/index.js';
import { didYouMean, nearestNames } from '../../model/suggest.js';
import { ScriptError } from './error.js';
import type { ModuleValue, ScriptValue } from './values.js';

type Modules = ReadonlyMap<string, ModuleValue>;
type SetName = (name: string, value: ScriptValue) => void;

export function importModules({ modules: wanted }: tree.Import, modules: Modules, setName: SetName): void {
  for (const { name, alias } of wanted) {
    const module = find(name, modules);
    const [top = name] = name.split('.');
    // `import a.b` makes the name `a`, `import a.b as c` the name `c`.
    if (alias === undefined) setName(top, find(top, modules));
    else setName(alias, module);
  }
}

export function importNames({ module: wanted, names }: tree.FromImport, modules: Modules, setName: SetName): void {
  const module = find(wanted, modules);
  for (const { name, alias } of names) {
    if (name === '*') importAll(module, setName);
    else setName(alias ?? name, attributeOf(module, name));
  }
}

function find(name: string, modules: Modules): ModuleValue {
  const module = modules.get(name);
  module?.imported?.();
  if (module) return module;
  const known = [...modules].flatMap(([known, { isNameOnly }]) => (isNameOnly ? [] : [known]));
  throw new ScriptError(
    'ImportError',
    `there is no module ${name} here, only ${known.slice(0, -1).join(', ')} and ${known.at(-1)}`,
  );
}

function attributeOf(module: ModuleValue, name: string): ScriptValue {
  const value = module.attribute(name);
  if (value !== undefined) return value;
  const near = didYouMean(nearestNames(name, module.names()));
  throw new ScriptError('ImportError', `cannot import name '${name}' from '${module.name}'${near}`);
}

function importAll(module: ModuleValue, setName: SetName): void {
  for (const name of module.names()) {
    const value = module.attribute(name);
    if (value !== undefined && !name.includes('.')) setName(name, value);
  }
}
