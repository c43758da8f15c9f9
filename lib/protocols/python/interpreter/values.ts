// The values that the command language computes with; integers are bigint, floats are number, as Python keeps them apart.
import type { Block, FunctionDefinition } from '../grammar/index.js';
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';

export type ScriptValue =
  | null
  | boolean
  | bigint
  | number
  | string
  | Bytes
  | ListValue
  | TupleValue
  | DictionaryValue
  | RangeValue
  | Quantity
  | HostVariable
  | ModuleValue
  | ObjectValue
  | Callable
  | DefinedFunction;

/** `b"..."`, one character a byte. */
export class Bytes {
  constructor(readonly text: string) {}
}

export class ListValue {
  constructor(readonly items: ScriptValue[]) {}
}

export class TupleValue {
  /** @param names under which its items are attributes. */
  constructor(
    readonly items: readonly ScriptValue[],
    private readonly names: readonly string[] = [],
  ) {}

  attribute(name: string): ScriptValue | undefined {
    return this.items[this.names.indexOf(name)];
  }
}

export class DictionaryValue {
  /** Each entry is filed under `keyOf` its key. */
  readonly entries = new Map<string, { readonly key: ScriptValue; value: ScriptValue }>();
}

export class RangeValue {
  constructor(
    readonly start: bigint,
    readonly stop: bigint,
    readonly step: bigint,
  ) {}

  get length(): bigint {
    const span = this.step > 0n ? this.stop - this.start : this.start - this.stop;
    const step = this.step > 0n ? this.step : -this.step;
    return span <= 0n ? 0n : (span + step - 1n) / step;
  }

  /** Bytes of its numbers when they are long; 0 otherwise. */
  get heldBytes(): number {
    return longBytes(this.start) + longBytes(this.stop) + longBytes(this.step);
  }

  *items(): Generator<bigint> {
    const { length } = this;
    for (let index = 0n; index < length; index++) yield this.start + index * this.step;
  }
}

const SHORT = 1n << 64n;
const longBytes = (value: bigint): number => (value < SHORT && value > -SHORT ? 0 : 16 + value.toString(16).length / 2);

/** The units of a number that has none. */
export const NO_UNITS = '1';

export const unitsName = (units: string): string => (units === '--' || units === '' ? NO_UNITS : units);

/** How a host's numbers with units are called and written. */
export interface NumberForm {
  /** For error sentences. */
  typeName(magnitude: Quantity['magnitude']): string;
  /** The name that `type` shows. */
  className(magnitude: Quantity['magnitude']): string;
  /** A number that is not whole by its type, without its units. */
  text(magnitude: number): string;
}

/** A number with units. */
export class Quantity {
  readonly units: string;

  constructor(
    readonly magnitude: bigint | number | boolean,
    units: string,
    readonly form: NumberForm,
  ) {
    this.units = unitsName(units);
  }

  get hasUnits(): boolean {
    return this.units !== NO_UNITS;
  }
}

/** A thing of the host that a text names by its path: an object, an array. Single values are read at once instead. */
export abstract class HostVariable {
  constructor(readonly path: string) {}

  /** For error sentences. */
  abstract readonly typeName: string;
  /** Whether it may have elements; `Host.elements` gives them as they are now. */
  abstract readonly isArray: boolean;

  /** The name that `type` shows. */
  get className(): string {
    return this.typeName;
  }

  /** What `dir` answers. */
  abstract names(): Iterable<string>;
  /** An attribute that is no variable: one whose path the host does not know. */
  abstract attribute(name: string): ScriptValue | undefined;
  /** What `print` and `str` show. */
  abstract text(tools: Tools): Run<string>;
  /** The path of an element; undefined for a key that it does not have. Throws a TypeError. */
  abstract elementPath(key: ScriptValue, tools: Tools): Run<string | undefined>;
  /** Stores a value for a key that it does not have. */
  abstract addElement(key: ScriptValue, value: ScriptValue, tools: Tools): Run<void>;
  abstract storeSlice(bounds: Bounds, value: ScriptValue, tools: Tools): Run<void>;
}

/** `sys`, `math`: a name with attributes that cannot be changed. */
export interface ModuleValue {
  readonly kind: 'module';
  readonly name: string;
  /** Undefined when there is no such attribute; `names` are the ones to suggest. */
  attribute(name: string): ScriptValue | undefined;
  names(): Iterable<string>;
  /** Whether the module is empty. */
  readonly isNameOnly?: boolean;
  /** Called at each import. */
  imported?(): void;
  /** False when there is no such attribute to set. */
  setAttribute?(name: string, value: ScriptValue): boolean;
  /** What a text of somebody else gets. Default: the module itself. */
  readonly forOthers?: ModuleValue;
}

/** An object of the server's own, such as an event: attributes that can be read, set and called. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly typeName: string;
  /** What print shows. Default: the name of its type. */
  readonly text?: string;
  /** Undefined when there is no such attribute; `names` are the ones to suggest. */
  attribute(name: string): ScriptValue | undefined;
  /** Throws a ScriptError for a value that does not fit; false when there is no such attribute to set. */
  setAttribute(name: string, value: ScriptValue, tools: Tools): boolean;
  names(): Iterable<string>;
  /** Bytes, roughly, that a session keeps when it keeps the object under a name; 0 when left out. */
  readonly heldBytes?: number;
  /** Its items, where it can be iterated. */
  items?(): Iterable<ScriptValue>;
  /** Called at the end of a `with`; without it the object cannot stand there. */
  leave?(): void;
  /** What a text of somebody else gets, when it may change what it gets. Default: the object itself. */
  ownCopy?(): ObjectValue;
}

/** Start, stop and step of a slice; undefined for one that is left out. */
export type Bounds = readonly (ScriptValue | undefined)[];

/** An object without attributes, but for those that a class adds. */
export abstract class HostObject implements ObjectValue {
  readonly kind = 'object';
  abstract readonly typeName: string;

  attribute(_name: string): ScriptValue | undefined {
    return undefined;
  }

  setAttribute(_name: string, _value: ScriptValue, _tools: Tools): boolean {
    return false;
  }

  names(): Iterable<string> {
    return [];
  }
}

/** Arguments as given in a call. */
export interface Arguments {
  readonly positional: readonly ScriptValue[];
  readonly keywords: readonly (readonly [name: string, value: ScriptValue])[];
}

/** Work that others do for a computation, which continues when the work is done. */
export abstract class Errand {
  readonly kind = 'errand';
}

/**
 * What a computation waits for: until its requests have settled, until its client has taken its answers, its next turn,
 * an errand, or a promise.
 */
export type Wait = 'settled' | 'taken' | 'turn' | Errand | Promise<void>;
/** A computation that may have to wait on its way. */
export type Run<T> = Generator<Wait, T, void>;

/** A running block. */
export interface RunningBlock {
  /** Who its text belongs to: a client's address, or empty for the operator. */
  readonly owner: string;
}

/** What a function of the language uses of the block that calls it. */
export interface Tools {
  readonly meter: Meter;
  /** For whom commands and objects act: names and lists bring them from one block into another. */
  readonly block: RunningBlock;
  /** Prints. */
  write(text: string, stream?: 'stdout' | 'stderr'): void;
  /** The items of an iterable value, one by one. Throws a TypeError for any other value. */
  iterate(value: ScriptValue): Iterable<ScriptValue>;
  /** How many elements an array or container has. */
  elementCount(variable: HostVariable): number;
  /** All elements of a variable, in a frame of the host that shows what this text has stored. */
  elements(variable: HostVariable): Run<ScriptValue[]>;
  call(callee: ScriptValue, args: Arguments): Run<ScriptValue>;
  /** Throws an AttributeError. */
  attribute(holder: ScriptValue, name: string): Run<ScriptValue>;
  /** Throws an AttributeError, and a TypeError for a value that does not fit. */
  setAttribute(holder: ScriptValue, name: string, value: ScriptValue): Run<void>;
  /** Runs a file's text with the names of the running text; with `isGlobal` not with those of a function in it. */
  include(block: IncludedBlock, isGlobal: boolean): Run<void>;
}

/** A text and where it is from. */
export interface SourceText {
  readonly file: string;
  readonly text: string;
}

export interface IncludedBlock extends SourceText {
  readonly tree: Block;
}

export type CallResult = ScriptValue | Run<ScriptValue>;

/** A command, a function of the language, or a function of the simulation. */
export interface Callable {
  readonly kind: 'callable';
  readonly name: string;
  /** Whether its arguments may be arrays whose elements it reads. */
  readonly takesElements?: boolean;
  call(args: Arguments, tools: Tools): CallResult;
}

/** A method and the value that it belongs to: `names.append`. */
export class BoundMethod implements Callable {
  readonly kind = 'callable';
  readonly takesElements = true;

  constructor(
    readonly name: string,
    readonly self: ScriptValue,
    private readonly method: (self: ScriptValue, args: Arguments, tools: Tools) => CallResult,
  ) {}

  /** The same method of another value. */
  of(self: ScriptValue): BoundMethod {
    return new BoundMethod(this.name, self, this.method);
  }

  call(args: Arguments, tools: Tools): CallResult {
    return this.method(this.self, args, tools);
  }
}

/** A class, which makes its values when it is called: `int`, `ValueError`; also what `type` answers. */
export class ClassValue implements Callable {
  readonly kind = 'callable';
  readonly takesElements = true;

  /**
   * @param ancestors names of the classes that its values belong to as well.
   * @param labels its attributes.
   */
  constructor(
    readonly name: string,
    private readonly make?: Callable['call'],
    readonly ancestors: readonly string[] = [],
    readonly labels: ReadonlyMap<string, bigint> = new Map(),
  ) {}

  call(args: Arguments, tools: Tools): CallResult {
    if (this.make) return this.make(args, tools);
    throw new ScriptError('TypeError', `cannot create '${this.name}' instances`);
  }

  /** Whether its values belong to another class too; each class is one of its own. */
  isSubclassOf({ name }: ClassValue): boolean {
    return name === this.name || name === 'object' || this.ancestors.includes(name);
  }

  attribute(name: string): ScriptValue | undefined {
    return this.labels.get(name);
  }

  /** False when there is no such attribute to set. */
  setAttribute(_name: string, _value: ScriptValue, _tools: Tools): boolean {
    return false;
  }
}

/** An exception that a block has raised or caught. */
export class ExceptionValue extends HostObject {
  constructor(
    readonly error: ScriptError,
    readonly args: TupleValue,
  ) {
    super();
  }

  get typeName(): string {
    return this.error.kind;
  }

  override attribute(name: string): ScriptValue | undefined {
    return name === 'args' ? this.args : undefined;
  }

  override names(): Iterable<string> {
    return ['args'];
  }
}

/** Where a function was defined. */
export interface Origin {
  readonly source?: SourceText | undefined;
  /** The names of its module; undefined when it runs with those of the running text. */
  readonly scope?: ModuleScope | undefined;
  /** The class in whose body it stands. */
  readonly owner?: ClassValue | undefined;
}

/** The names of a module that is a file. */
export interface ModuleScope {
  readonly kind: 'module-scope';
  readonly names: Map<string, ScriptValue>;
  /** Names of another owner, of which it sees copies. */
  readonly inherited?: ReadonlyMap<string, ScriptValue>;
}

/** A function that the client's text has defined. */
export class DefinedFunction {
  constructor(
    readonly definition: FunctionDefinition,
    readonly defaults: readonly (ScriptValue | undefined)[],
    readonly origin: Origin = {},
  ) {}
}

/** The value as a number; True and False count as 1 and 0. Undefined for any other value. */
export const arithmetic = (value: ScriptValue): bigint | number | undefined =>
  typeof value === 'boolean'
    ? BigInt(value)
    : typeof value === 'bigint' || typeof value === 'number'
      ? value
      : undefined;

/** The value without its units. */
export const plain = (value: ScriptValue): ScriptValue => (value instanceof Quantity ? value.magnitude : value);

export const itemsOf = (value: ScriptValue): readonly ScriptValue[] | undefined =>
  value instanceof ListValue || value instanceof TupleValue ? value.items : undefined;

export const isCallable = (value: ScriptValue): value is Callable =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'callable';

export const isModule = (value: ScriptValue): value is ModuleValue =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'module';

export const isObject = (value: ScriptValue): value is ObjectValue =>
  typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object';

/** Python's truth of a value. */
export function isTrue(value: ScriptValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return false;
  if (value instanceof ListValue || value instanceof TupleValue) return value.items.length > 0;
  if (value instanceof DictionaryValue) return value.entries.size > 0;
  if (value instanceof RangeValue) return value.length > 0n;
  if (value instanceof Bytes) return value.text.length > 0;
  if (value instanceof Quantity) return isTrue(value.magnitude);
  return true;
}
