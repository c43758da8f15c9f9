// What a host gives the texts that it runs: variables, functions, objects and modules.
import type { TextFiles } from './file-module.js';
import type { HostVariable, ModuleValue, Run, RunningBlock, ScriptValue, Tools, Wait } from './values.js';

/** Elements of a variable, in the latest frame. */
export interface Elements {
  readonly length: number;
  /** All elements, one by one; the frame is read completely before the first. */
  all(): Iterable<ScriptValue>;
}

/** What a running block reaches. Everything else does not exist. */
export interface Host extends RunningBlock {
  /** The names of a client's session; they live from block to block. */
  readonly names: Map<string, ScriptValue>;
  /** Names of another owner: a block sees copies of their values, and its assignments make names of its own. */
  readonly inherited?: ReadonlyMap<string, ScriptValue> | undefined;
  /** `sys`, the host's own and the like. */
  readonly modules: ReadonlyMap<string, ModuleValue>;
  /** Modules that are there only when they are imported. */
  readonly importable?: ReadonlyMap<string, ModuleValue>;
  /** The value of a name for all sessions, such as an event; an object of the simulation's own hides it. */
  shared(name: string): ScriptValue | undefined;
  /** Whether texts of several clients run with these names: then no name may hide a builtin or an object. */
  runsForAll?(): boolean;
  /** Whether the simulation has an object of this name that no client has added. */
  isObject?(name: string): boolean;
  /** What a variable's path stands for: a value, or a proxy for objects and arrays; undefined when there is none. */
  variable(path: string): ScriptValue | undefined;
  /** The elements of an array or container variable; undefined for a variable without elements. */
  elements(proxy: HostVariable): Elements | undefined;
  /** A function that belongs to a component: `dyn.cannon.fire`. */
  method(path: string): ScriptValue | undefined;
  /** Names that exist below a path, for suggestions. */
  explain(path: string): string;
  /** Stores a value in a variable. Throws a ScriptError when the value does not fit. */
  store(path: string, value: ScriptValue): Run<void>;
  /**
   * Whether the latest frame shows a variable and everything that this session wrote. If not, the caller waits until the
   * session's requests have settled and asks again. Throws a ScriptError when no frame will ever show it.
   */
  canRead(path: string, part: 'head' | 'all'): boolean;
  /** What the block must wait for before it makes further requests, if anything. */
  mustWait(): Wait | undefined;
  /** The files that the text may read; undefined for a client's text. */
  readonly files?: TextFiles | undefined;
  /** The input file that runs. */
  readonly input?: { readonly name: string; readonly text: string } | undefined;
  write(stream: 'stdout' | 'stderr', text: string): void;
}

/** A host that gives nothing. */
export const plainHost = (write: (text: string) => void): Host => ({
  owner: '',
  names: new Map(),
  modules: new Map(),
  shared: () => undefined,
  variable: () => undefined,
  elements: () => undefined,
  method: () => undefined,
  explain: (path) => `there is no ${path}`,
  *store() {},
  canRead: () => true,
  mustWait: () => undefined,
  write: (_, text) => write(text),
});

/** The host of the text that calls: names and lists bring functions and objects from one text into another. */
export const hostOf = ({ block }: Tools): Host => block as Host;
