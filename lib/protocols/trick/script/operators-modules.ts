// The modules `os` and `sys` as the operator's texts see them: with what is harmless of the host, and the files that they may read.
import { resolve } from 'node:path';
import {
  type Callable,
  DictionaryValue,
  fixedModule,
  getenv,
  type Host,
  ListValue,
  type ModuleValue,
  normalized,
  ofPath,
  only,
  osModule,
  osPathModule,
  type ScriptValue,
  sysModule,
  type TextFiles,
} from '../../python/index.js';
import { harmlessEnvironment } from './environment.js';

/** The module with further attributes; a text of somebody else gets it without them. */
function extended(module: ModuleValue, attributes: Readonly<Record<string, ScriptValue>>): ModuleValue {
  const more = fixedModule(module.name, attributes);
  return {
    ...module,
    forOthers: module,
    attribute: (name) => more.attribute(name) ?? module.attribute(name),
    names: () => new Set([...module.names(), ...more.names()]),
  };
}

/** Input files put the directory of Trick, which is empty text here, before the names of files. */
export const clientsOs: ModuleValue = osModule((name) => (name === 'TRICK_HOME' ? '' : undefined));

/** A question about a file; for a text that may read none the answer is False. */
const asked = (name: string, isSo: (kind: ReturnType<TextFiles['kindOf']>) => boolean): Callable => ({
  kind: 'callable',
  name,
  call: (args, { block }) => {
    const [path] = only(name, args, 1, 1);
    return typeof path === 'string' && isSo((block as Host).files?.kindOf(path));
  },
});

const absolute = (path: string): string => normalized(resolve(path));

function environ(): { readonly dictionary: DictionaryValue; readonly find: (name: string) => ScriptValue | undefined } {
  const dictionary = new DictionaryValue();
  for (const [name, value] of harmlessEnvironment()) dictionary.entries.set(`'${name}`, { key: name, value });
  return { dictionary, find: (name) => dictionary.entries.get(`'${name}`)?.value };
}

/** `$NAME` and `${NAME}`; a name without a value stays. */
const expanded = (path: string, find: (name: string) => ScriptValue | undefined): string =>
  path.replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, name: string | undefined, inside: string | undefined) => {
    const value = find(name ?? inside ?? '');
    return typeof value === 'string' ? value : whole;
  });

function operatorsOs(): { readonly os: ModuleValue; readonly path: ModuleValue } {
  const { dictionary, find } = environ();
  const path = extended(osPathModule, {
    exists: asked('exists', (kind) => kind !== undefined),
    isfile: asked('isfile', (kind) => kind === 'file'),
    isdir: asked('isdir', (kind) => kind === 'directory'),
    abspath: ofPath('abspath', absolute),
    realpath: ofPath('realpath', absolute),
    expandvars: ofPath('expandvars', (given) => expanded(given, find)),
    expanduser: ofPath('expanduser', (given) => given.replace(/^~(?=\/|$)/, () => String(find('HOME')))),
  });
  const getcwd: Callable = {
    kind: 'callable',
    name: 'getcwd',
    call: (args) => {
      only('getcwd', args, 0, 0);
      return process.cwd();
    },
  };
  return { os: extended(clientsOs, { path, getcwd, environ: dictionary, getenv: getenv(find) }), path };
}

/** `sys.path` says where imported files are looked for. */
function operatorsSys(files: () => TextFiles | undefined): ModuleValue {
  const attribute = (name: string): ScriptValue | undefined => {
    if (name === 'path') return files()?.searchPath;
    return name === 'platform' ? process.platform : sysModule.attribute(name);
  };
  return {
    ...sysModule,
    forOthers: sysModule,
    attribute,
    names: () => [...sysModule.names(), 'path', 'platform'],
    setAttribute: (name, value) => {
      const path = files()?.searchPath;
      if (name === 'path' && path && value instanceof ListValue)
        path.items.splice(0, path.items.length, ...value.items);
      // Nothing is compiled to files here.
      else return name === 'dont_write_bytecode';
      return true;
    },
  };
}

export function operatorsModules(files: () => TextFiles | undefined): readonly (readonly [string, ModuleValue])[] {
  const { os, path } = operatorsOs();
  return [
    ['os', os],
    ['os.path', path],
    ['sys', operatorsSys(files)],
  ];
}
