// What a block can see besides its own names: the simulation's variables and the modules.

import type { Block } from '../../../grammar/trick/index.js';
import type { Part } from '../../model/reach.js';
import type { Value as ModelValue } from '../../model/read.js';
import type { ModuleValue, Value, VariableProxy, Wait } from './values.js';

export interface IncludedBlock {
  readonly tree: Block;
  readonly file: string;
  readonly text: string;
}

/** What a running block reaches. Everything else does not exist. */
export interface Surroundings {
  /** The names of a client's session; they live from block to block. */
  readonly names: Map<string, Value>;
  /** `trick`, `sys` and the like. */
  readonly modules: ReadonlyMap<string, ModuleValue>;
  /** What the whole server knows by a name, behind the session's own: an event. */
  shared(name: string): Value | undefined;
  /** What a variable's path stands for: a value, or a proxy for objects and arrays; undefined when there is none. */
  variable(path: string): Value | undefined;
  /** The elements of an array or container variable; undefined for what has none. */
  elements(proxy: VariableProxy): Value[] | undefined;
  /** Function belonging to a component: `dyn.cannon.fire`. */
  method(path: string): Value | undefined;
  /** Names that exist below a path, for suggestions. */
  explain(path: string): string;
  /** Hands a write on; throws a ScriptError when it does not fit. False when it is refused but the block goes on. */
  assign(path: string, value: ModelValue, units: string | undefined): void;
  /**
   * Whether the latest frame shows a variable, and all that this session wrote; if not, it is worth asking again once
   * that has settled. Throws a ScriptError when it never will.
   */
  canRead(path: string, part: Part): boolean;
  /** What the block must wait for before it goes on asking, if anything. */
  mustWait(): Wait | undefined;
  /** A file that a block may include; undefined where nothing may be. Throws a ScriptError for one that cannot be read. */
  include?: ((name: string) => IncludedBlock) | undefined;
  write(stream: 'stdout' | 'stderr', text: string): void;
}
