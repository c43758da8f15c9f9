// What names mean in a running block: locals of functions, names of the session, modules, builtins, and what all sessions share.
import type { DefinedClass } from './defined-class.js';
import { ScriptError } from './error.js';
import { FILE_FUNCTIONS } from './file-functions.js';
import type { Host } from './host.js';
import type { Meter } from './meter.js';
import { ownCopy } from './own-copy.js';
import { isObject, type ModuleScope, type Run, type ScriptValue } from './values.js';

/** Names of a function being called. */
interface CallFrame {
  readonly locals: Map<string, ScriptValue>;
  readonly globals: Set<string>;
  /** The frame whose names a comprehension or a class sees besides its own. */
  readonly outer: CallFrame | undefined;
  /** The class whose body runs. */
  readonly body?: DefinedClass;
}

/** The names that a text may assign, and the names that it can only read. */
export type OwnedNames = Pick<Host, 'names' | 'inherited'>;

/** A session's name, in bytes. */
const NAME_BYTES = 64;

export class NameTable {
  /** Innermost last. */
  private frames: CallFrame[] = [];
  private depth = 0;
  private owned: OwnedNames;

  constructor(
    private readonly host: Host,
    private readonly meter: Meter,
    readonly builtins: ReadonlyMap<string, ScriptValue>,
  ) {
    this.owned = host;
  }

  /** Runs a text of another owner with that owner's names, and with none of the function that it is called in. */
  *as<T>(owner: OwnedNames, run: Run<T>): Run<T> {
    const { owned, frames } = this;
    this.owned = owner;
    this.frames = [];
    try {
      return yield* run;
    } finally {
      this.owned = owned;
      this.frames = frames;
    }
  }

  /** Whose names the running text has. */
  get owner(): OwnedNames {
    return this.owned;
  }

  /** The names of the module that runs. */
  get moduleScope(): ModuleScope | undefined {
    return 'kind' in this.owned ? (this.owned as ModuleScope) : undefined;
  }

  /** The value of a name that is not one of the simulation's objects. */
  find(name: string): ScriptValue | undefined {
    for (let frame = this.frames.at(-1); frame !== undefined; frame = frame.outer) {
      const own = frame.locals.get(name);
      if (own !== undefined) return own;
    }
    const own = this.owned.names.get(name);
    const given = own === undefined ? this.inherited(name) : own;
    if (given !== undefined) return given;
    const { modules, files } = this.host;
    const known = modules.get(name) ?? this.builtins.get(name) ?? (files && FILE_FUNCTIONS.get(name));
    return known ?? this.host.shared(name);
  }

  private inherited(name: string): ScriptValue | undefined {
    const value = this.owned.inherited?.get(name);
    return value === undefined ? undefined : ownCopy(value, this.meter);
  }

  known(): string[] {
    const { names, inherited } = this.owned;
    const { modules } = this.host;
    const locals = this.frames.at(-1)?.locals.keys() ?? [];
    return [...locals, ...names.keys(), ...(inherited?.keys() ?? []), ...modules.keys(), ...this.builtins.keys()];
  }

  /** `name = value` as a client writes it. */
  assign(name: string, value: ScriptValue): void {
    // `ev = host.new_event("ev")`: all sessions know the event by this name, so the session needs no name of its own.
    const isShared = isObject(value) && !this.builtins.has(name) && this.host.shared(name) === value;
    if (isShared) this.owned.names.delete(name);
    else this.set(name, value);
  }

  /** Throws a ScriptError for a name that others rely on. */
  set(name: string, value: ScriptValue): void {
    const frame = this.frames.at(-1);
    if (frame && !frame.globals.has(name)) {
      frame.locals.set(name, value);
      return;
    }
    const { names } = this.owned;
    const { modules } = this.host;
    if (modules.has(name) && modules.get(name) !== value)
      throw new ScriptError('TypeError', `${name} cannot be replaced`);
    if (this.host.runsForAll?.() && (this.builtins.has(name) || this.host.isObject?.(name)))
      throw new ScriptError('TypeError', `${name} cannot be replaced in text that runs for all sessions`);
    this.meter.allocate(names.has(name) ? 1 : NAME_BYTES + name.length);
    names.set(name, value);
  }

  /** `del name`. Throws a NameError for a name that is not there. */
  delete(name: string): void {
    const frame = this.frames.at(-1);
    const isLocal = frame && !frame.globals.has(name);
    const isGone = isLocal ? frame.locals.delete(name) : this.owned.names.delete(name);
    if (!isGone) throw new ScriptError('NameError', `name '${name}' is not defined`);
  }

  declareGlobal(names: readonly string[]): void {
    for (const name of names) this.frames.at(-1)?.globals.add(name);
  }

  /** Runs a computation with the local names of a function. */
  within<T>(locals: Map<string, ScriptValue>, run: () => Run<T>): Run<T> {
    return this.inFrame({ locals, globals: new Set(), outer: undefined }, run);
  }

  /** Runs a comprehension, whose loop variables are its own. */
  inside<T>(run: () => Run<T>): Run<T> {
    return this.inFrame({ locals: new Map(), globals: new Set(), outer: this.frames.at(-1) }, run);
  }

  /** Runs the body of a class, whose names are the attributes of the class. */
  inClass<T>(body: DefinedClass, run: () => Run<T>): Run<T> {
    return this.inFrame({ locals: body.attributes, globals: new Set(), outer: this.frames.at(-1), body }, run);
  }

  /** The class whose body runs. */
  get runningClass(): DefinedClass | undefined {
    return this.frames.at(-1)?.body;
  }

  private *inFrame<T>(frame: CallFrame, run: () => Run<T>): Run<T> {
    if (this.depth >= this.meter.limits.callDepth) {
      throw new ScriptError('RecursionError', `functions may call each other ${this.meter.limits.callDepth} deep`);
    }
    this.depth++;
    this.frames.push(frame);
    try {
      return yield* run();
    } finally {
      this.frames.pop();
      this.depth--;
    }
  }
}
