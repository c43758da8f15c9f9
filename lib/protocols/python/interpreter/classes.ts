// The classes of values: int, str, list and their like, the exceptions, and what type() and isinstance() say.
import { Instance, OBJECT_CLASS } from './defined-class.js';
import { type ErrorKind, ScriptError } from './error.js';
import type { Meter } from './meter.js';
import { toInteger, toIntegerOfBase, toReal } from './number-of.js';
import { takeList } from './operators.js';
import { only } from './signature.js';
import { storeEntry } from './subscript.js';
import { reprOfKey, str } from './text.js';
import { textOf } from './text-of.js';
import { typeName } from './type-name.js';
import {
  arithmetic,
  type Callable,
  type CallResult,
  ClassValue,
  DefinedFunction,
  DictionaryValue,
  ExceptionValue,
  HostVariable,
  isTrue,
  itemsOf,
  ListValue,
  plain,
  Quantity,
  RangeValue,
  type Run,
  type ScriptValue,
  type Tools,
  TupleValue,
} from './values.js';

/** The one argument, or `none` when there is no argument. */
function first(name: string, args: Parameters<typeof only>[1], none: ScriptValue): ScriptValue {
  const [value] = only(name, args, 0, 1);
  return value === undefined ? none : value;
}

/** The items of a value, in a new list. */
export function* itemsIn(value: ScriptValue, { meter, iterate }: Tools): Run<ScriptValue[]> {
  const items: ScriptValue[] = [];
  for (const item of iterate(value)) {
    if (meter.isTurnOver) yield 'turn';
    meter.allocate(16);
    items.push(item);
  }
  takeList(items.length, meter);
  return items;
}

/** `int(x)`, `int("ff", 16)` */
function integerOf([value = 0n, base]: readonly ScriptValue[]): bigint {
  return base === undefined ? toInteger(value) : toIntegerOfBase(value, toInteger(base));
}

const makeRange: Callable['call'] = (args, { meter }) => {
  const bounds = only('range', args, 1, 3).map((value) => {
    const bound = arithmetic(plain(value));
    if (typeof bound !== 'bigint') {
      throw new ScriptError('TypeError', `'${typeName(value)}' object cannot be interpreted as an integer`);
    }
    return bound;
  });
  const [start = 0n, stop, step = 1n] = bounds;
  if (step === 0n) throw new ScriptError('ValueError', 'range() arg 3 must not be zero');
  const made = stop === undefined ? new RangeValue(0n, start, 1n) : new RangeValue(start, stop, step);
  meter.allocate(made.heldBytes);
  return made;
};

/** `dict()`, `dict(other)`, `dict(pairs)`, each with keywords. */
function* makeDictionary({ positional, keywords }: Parameters<typeof only>[1], tools: Tools): Run<ScriptValue> {
  const dictionary = new DictionaryValue();
  const [given] = only('dict', { positional, keywords: [] }, 0, 1);
  if (given !== undefined) yield* fillDictionary(dictionary, given, tools);
  for (const [key, value] of keywords) storeEntry(dictionary, key, value, tools.meter);
  return dictionary;
}

/** A list of all entries is made before they are added. */
const ENTRY_BYTES = 16;

/** Adds the entries of another dictionary, or pairs of key and value. */
export function* fillDictionary(dictionary: DictionaryValue, given: ScriptValue, tools: Tools): Run<void> {
  if (given instanceof DictionaryValue) {
    tools.meter.allocate(ENTRY_BYTES * given.entries.size);
    for (const { key, value } of [...given.entries.values()]) {
      if (tools.meter.isTurnOver) yield 'turn';
      storeEntry(dictionary, key, value, tools.meter);
    }
    return;
  }
  for (const pair of yield* itemsIn(given, tools)) {
    if (tools.meter.isTurnOver) yield 'turn';
    const [key = null, value = null, ...others] = itemsOf(pair) ?? [];
    if (itemsOf(pair)?.length !== 2 || others.length > 0)
      throw new ScriptError('TypeError', 'a dictionary is made of pairs of a key and a value');
    storeEntry(dictionary, key, value, tools.meter);
  }
}

const VALUE_CLASSES: Readonly<Record<string, Callable['call']>> = {
  int: (args) => integerOf(only('int', args, 0, 2)),
  float: (args) => toReal(first('float', args, 0)),
  bool: (args) => isTrue(first('bool', args, false)),
  *str(args, tools) {
    const [value = args.positional.length > 0 ? null : ''] = only('str', args, 0, 1);
    return yield* textOf(value, tools);
  },
  *list(args, tools) {
    return new ListValue(yield* itemsIn(first('list', args, new ListValue([])), tools));
  },
  *tuple(args, tools) {
    return new TupleValue(yield* itemsIn(first('tuple', args, new ListValue([])), tools));
  },
  dict: makeDictionary,
  range: makeRange,
};

/** Every exception with the one above it. */
const PARENTS: Readonly<Record<ErrorKind, ErrorKind | undefined>> = {
  BaseException: undefined,
  Exception: 'BaseException',
  SystemExit: 'BaseException',
  ArithmeticError: 'Exception',
  LookupError: 'Exception',
  OSError: 'Exception',
  AssertionError: 'Exception',
  AttributeError: 'Exception',
  ImportError: 'Exception',
  MemoryError: 'Exception',
  NameError: 'Exception',
  RuntimeError: 'Exception',
  TypeError: 'Exception',
  ValueError: 'Exception',
  FileNotFoundError: 'OSError',
  IndexError: 'LookupError',
  KeyError: 'LookupError',
  NotImplementedError: 'RuntimeError',
  OverflowError: 'ArithmeticError',
  RecursionError: 'RuntimeError',
  ZeroDivisionError: 'ArithmeticError',
};

/** The classes above an exception, the nearest first. */
function ancestorsOf(kind: ErrorKind): ErrorKind[] {
  const above: ErrorKind[] = [];
  for (let parent = PARENTS[kind]; parent !== undefined; parent = PARENTS[parent]) above.push(parent);
  return above;
}

/** `ValueError("why")`: its message is its argument, or all of them as a tuple. */
function* makeException(kind: ErrorKind, args: Parameters<typeof only>[1], { meter }: Tools): Run<ScriptValue> {
  if (args.keywords[0]) throw new ScriptError('TypeError', `${kind}() takes no keyword arguments`);
  const [one] = args.positional;
  takeList(args.positional.length, meter);
  if (args.positional.length !== 1) {
    const given = new TupleValue(args.positional);
    return new ExceptionValue(new ScriptError(kind, one === undefined ? '' : yield* str(given, meter)), given);
  }
  const said = kind === 'KeyError' ? reprOfKey(one as ScriptValue, meter) : yield* str(one as ScriptValue, meter);
  return new ExceptionValue(new ScriptError(kind, said), new TupleValue(args.positional));
}

const isException = (name: string): name is ErrorKind => Object.hasOwn(PARENTS, name);

export const CLASSES: ReadonlyMap<string, ClassValue> = new Map<string, ClassValue>([
  ['object', OBJECT_CLASS],
  ...Object.entries(VALUE_CLASSES).map(
    ([name, make]) => [name, new ClassValue(name, make, name === 'bool' ? ['int'] : [])] as const,
  ),
  ...(Object.keys(PARENTS) as ErrorKind[]).map((kind) => {
    const make = (args: Parameters<typeof only>[1], tools: Tools): CallResult => makeException(kind, args, tools);
    return [kind, new ClassValue(kind, make, ancestorsOf(kind))] as const;
  }),
]);

/** Other names of classes. */
export const CLASS_ALIASES: ReadonlyMap<string, ClassValue> = new Map([
  ['IOError', CLASSES.get('OSError') as ClassValue],
]);

/** The class of a value. */
export function classOf(value: ScriptValue): ClassValue {
  if (value instanceof Instance) return value.self.type;
  if (value instanceof Quantity) return new ClassValue(value.form.className(value.magnitude));
  if (value instanceof HostVariable) return new ClassValue(value.className);
  const name = value instanceof DefinedFunction ? 'function' : typeName(value);
  return CLASSES.get(name) ?? new ClassValue(name);
}

/** Whether an error is of a class or of one of a tuple of classes. Throws a TypeError when they are no exceptions. */
export function isOneOf(kind: ErrorKind, classes: ScriptValue, meter: Meter): boolean {
  const wanted = itemsOf(classes) ?? [classes];
  meter.spend(wanted.length);
  const names = wanted.map((one) => {
    if (one instanceof ClassValue && isException(one.name)) return one.name;
    throw new ScriptError('TypeError', 'catching classes that do not inherit from BaseException is not allowed');
  });
  return [kind, ...ancestorsOf(kind)].some((name) => names.includes(name));
}

/** `isinstance(value, classes)` */
export function isInstance(value: ScriptValue, classes: ScriptValue, meter: Meter): boolean {
  const own = classOf(value);
  const wanted = itemsOf(classes) ?? [classes];
  meter.spend(wanted.length);
  return wanted.some((one) => {
    if (!(one instanceof ClassValue))
      throw new ScriptError('TypeError', 'isinstance() arg 2 must be a type, a tuple of types, or a union');
    return own.isSubclassOf(one);
  });
}

/** The error that `raise value` raises. Throws a TypeError for a value that is no exception. */
export function* raised(value: ScriptValue, tools: Tools): Run<ScriptError> {
  const isKind = value instanceof ClassValue && isException(value.name);
  const made = isKind ? yield* makeException(value.name as ErrorKind, NO_ARGUMENTS, tools) : value;
  if (!(made instanceof ExceptionValue))
    throw new ScriptError('TypeError', 'exceptions must derive from BaseException');
  made.error.value = made;
  return made.error;
}

/** `sys.exit`, `exit` and `quit`: a function that raises SystemExit. */
export const exitFunction = (name: string): Callable => ({
  kind: 'callable',
  name,
  *call(args, tools): Run<never> {
    throw yield* raised(yield* makeException('SystemExit', args, tools), tools);
  },
});

const NO_ARGUMENTS = { positional: [], keywords: [] };

/** An error as `except ... as name` names it. */
export function exceptionOf(error: ScriptError): ExceptionValue {
  const known = error.value;
  if (known instanceof ExceptionValue) return known;
  const made = new ExceptionValue(error, new TupleValue(error.message === '' ? [] : [error.message]));
  error.value = made;
  return made;
}
