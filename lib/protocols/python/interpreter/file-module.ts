// The files that a text may read, and modules that are files: each runs once, with names of its own.
import { ScriptError } from './error.js';
import type { Bytes, IncludedBlock, ListValue, ModuleScope, ModuleValue, Run, ScriptValue } from './values.js';

/** The files that a text may read. */
export interface TextFiles {
  /** Throws a ScriptError. */
  read(name: string): { readonly text: string; readonly bytes: Uint8Array };
  /** Undefined where nothing may be read. */
  kindOf(name: string): 'file' | 'directory' | undefined;
  /** The block of a text that was read from a file; undefined for any other text. Throws when it does not parse. */
  blockOf(text: string | Bytes): IncludedBlock | undefined;
  /** Where imported files are looked for: `sys.path`. */
  readonly searchPath: ListValue;
  /** The files that have been imported, by their dotted names. */
  readonly modules: Map<string, FileModule>;
}

export class FileModule implements ModuleValue {
  readonly kind = 'module';
  readonly scope: ModuleScope = { kind: 'module-scope', names: new Map() };

  constructor(readonly name: string) {}

  attribute(name: string): ScriptValue | undefined {
    return this.scope.names.get(name);
  }

  setAttribute(name: string, value: ScriptValue): boolean {
    this.scope.names.set(name, value);
    return true;
  }

  names(): Iterable<string> {
    return this.scope.names.keys();
  }
}

type RunModule = (scope: ModuleScope, block: IncludedBlock) => Run<void>;

/** The module of a dotted name, after those above it; undefined when there is no such file. */
export function* loadModule(name: string, files: TextFiles, run: RunModule): Run<FileModule | undefined> {
  const known = files.modules.get(name);
  if (known) return known;
  const dot = name.lastIndexOf('.');
  const parent = dot < 0 ? undefined : yield* loadModule(name.slice(0, dot), files, run);
  const file = dot < 0 || parent ? fileOf(name, files) : undefined;
  if (file === undefined) return undefined;
  const module = new FileModule(name);
  files.modules.set(name, module);
  try {
    if (file !== PACKAGE) yield* runFile(module, file, files, run);
  } catch (error) {
    files.modules.delete(name);
    throw error;
  }
  parent?.setAttribute(name.slice(dot + 1), module);
  return module;
}

/** The dotted name of the package that a module is in, or is. */
export function packageOf(scope: ModuleScope | undefined): string {
  const [name, file] = ['__name__', '__file__'].map((own) => scope?.names.get(own));
  if (typeof name !== 'string' || typeof file !== 'string') return '';
  return file.endsWith('/__init__.py') ? name : name.slice(0, Math.max(name.lastIndexOf('.'), 0));
}

function* runFile({ name, scope }: FileModule, file: string, files: TextFiles, run: RunModule): Run<void> {
  scope.names.set('__name__', name);
  scope.names.set('__file__', file);
  const block = files.blockOf(files.read(file).text);
  if (block) yield* run(scope, { ...block, file });
}

/** A directory without a file of its own. */
const PACKAGE = Symbol('package');

function fileOf(name: string, files: TextFiles): string | typeof PACKAGE | undefined {
  const path = name.replaceAll('.', '/');
  for (const directory of files.searchPath.items) {
    if (typeof directory !== 'string') throw new ScriptError('TypeError', 'sys.path takes texts');
    const base = directory === '' ? path : `${directory}/${path}`;
    for (const file of [`${base}/__init__.py`, `${base}.py`]) if (files.kindOf(file) === 'file') return file;
    if (files.kindOf(base) === 'directory') return PACKAGE;
  }
  return undefined;
}
