// Classes that a text defines, and what they make.
import { ScriptError } from './error.js';
import { only } from './signature.js';
import {
  type Arguments,
  BoundMethod,
  type Callable,
  ClassValue,
  DefinedFunction,
  type ObjectValue,
  type Run,
  type ScriptValue,
  type Tools,
} from './values.js';

/** How many classes may stand above a class. */
const MOST_ABOVE = 20;
const INSTANCE_BYTES = 256;
const ENTRY_BYTES = 64;

/** Python calls these by themselves. Any other name of the kind would be passed over without a word. */
const SPECIAL_NAMES: ReadonlySet<string> = new Set(['__init__', '__str__', '__doc__']);

export class DefinedClass extends ClassValue {
  private readonly depth: number;

  /** @param identity is that of the class of which this one is a copy. */
  constructor(
    name: string,
    readonly base: DefinedClass | undefined,
    readonly attributes = new Map<string, ScriptValue>(),
    readonly identity: object = attributes,
  ) {
    super(name);
    this.depth = base ? base.depth + 1 : 0;
    if (this.depth > MOST_ABOVE)
      throw new ScriptError('TypeError', `a class may have ${MOST_ABOVE} classes above it, ${name} would have more`);
  }

  override isSubclassOf(other: ClassValue): boolean {
    const isSame = other instanceof DefinedClass && other.identity === this.identity;
    return isSame || (this.base?.isSubclassOf(other) ?? false);
  }

  override attribute(name: string): ScriptValue | undefined {
    const own = this.attributes.get(name);
    if (own !== undefined) return own;
    return this.base ? this.base.attribute(name) : undefined;
  }

  override setAttribute(name: string, value: ScriptValue, { meter }: Tools): boolean {
    // `object` belongs to all texts.
    if (!this.base) return false;
    requireName(this.name, name);
    meter.allocate(ENTRY_BYTES + name.length);
    this.attributes.set(name, value);
    return true;
  }

  /** Throws a TypeError when a name of the body has a meaning that it would not get. */
  check(): void {
    for (const name of this.attributes.keys()) requireName(this.name, name);
  }

  override *call(args: Arguments, tools: Tools): Run<ScriptValue> {
    tools.meter.allocate(INSTANCE_BYTES);
    const made = new Instance(this);
    const begin = made.attribute('__init__') as ScriptValue;
    if (!(begin instanceof Method) && args.positional.length + args.keywords.length > 0)
      throw new ScriptError('TypeError', `${this.name}() takes no arguments`);
    yield* tools.call(begin, args);
    return made;
  }
}

function requireName(owner: string, name: string): void {
  if (!/^__\w+__$/.test(name) || SPECIAL_NAMES.has(name)) return;
  throw new ScriptError(
    'TypeError',
    `${owner} defines ${name}, of which nothing would come here: write a method with another name and call it`,
  );
}

/** `object`, which is above all classes. */
export const OBJECT_CLASS = new DefinedClass(
  'object',
  undefined,
  new Map<string, ScriptValue>([
    ['__init__', { kind: 'callable', name: '__init__', call: () => null } satisfies Callable],
  ]),
);

/** What a class has made. */
export class Instance implements ObjectValue {
  readonly kind = 'object';
  /** What methods get as `self`. */
  readonly self: Instance;

  /** @param whole of `super()`: whose attributes these are. */
  constructor(
    readonly type: DefinedClass,
    whole?: Instance,
    readonly attributes: Map<string, ScriptValue> = whole?.attributes ?? new Map(),
  ) {
    this.self = whole ?? this;
  }

  get typeName(): string {
    return this.type.name;
  }

  attribute(name: string): ScriptValue | undefined {
    const own = this.attributes.get(name);
    if (own !== undefined) return own;
    if (name === '__class__') return this.self.type;
    const shared = this.type.attribute(name);
    return shared instanceof DefinedFunction ? new Method(this.self, shared) : shared;
  }

  setAttribute(name: string, value: ScriptValue, { meter }: Tools): boolean {
    requireName(this.typeName, name);
    meter.allocate(ENTRY_BYTES + name.length);
    this.attributes.set(name, value);
    return true;
  }

  names(): Iterable<string> {
    const names = new Set(this.attributes.keys());
    for (let type: DefinedClass | undefined = this.type; type; type = type.base)
      for (const name of type.attributes.keys()) names.add(name);
    return names;
  }
}

/** A function that gets a value as its first argument. */
export class Method extends BoundMethod {
  constructor(
    self: ScriptValue,
    readonly called: DefinedFunction,
  ) {
    super(called.definition.name, self, (own, { positional, keywords }, tools) =>
      tools.call(called, { positional: [own, ...positional], keywords }),
    );
  }
}

/** `super()` in a method of a class: what the classes above it have. */
export const superOf = (owner: DefinedClass, self: ScriptValue): Callable => ({
  kind: 'callable',
  name: 'super',
  call: (args) => {
    only('super', args, 0, 2);
    if (self instanceof Instance) return new Instance(owner.base ?? OBJECT_CLASS, self.self);
    throw new ScriptError('TypeError', 'super() needs a method that was called for an object of the class');
  },
});
