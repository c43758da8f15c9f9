// The functions of the language itself; classes.ts has its classes.
import { ATTRIBUTE_FUNCTIONS } from './attribute-functions.js';
import { CLASS_ALIASES, CLASSES, classOf, exitFunction, isInstance, itemsIn } from './classes.js';
import { compare, outcomeOf } from './comparison.js';
import { ScriptError } from './error.js';
import { methodNames } from './methods.js';
import { NUMBER_FUNCTIONS } from './number-functions.js';
import { toInteger } from './number-of.js';
import { binary, grown, lengthOf, takeList } from './operators.js';
import { keywordsOf, only } from './signature.js';
import { sorted } from './sorting.js';
import { repr } from './text.js';
import { textOf } from './text-of.js';
import { typeName } from './type-name.js';
import {
  type Arguments,
  type Callable,
  DefinedFunction,
  HostVariable,
  isCallable,
  isModule,
  isObject,
  isTrue,
  ListValue,
  type Run,
  type ScriptValue,
  type Tools,
  TupleValue,
} from './values.js';

type Builtin = Callable['call'];

/** Each item, separator and end is written to stdout by itself, as Python does. */
function* print({ positional, keywords }: Arguments, tools: Tools): Run<null> {
  const options = { sep: ' ', end: '\n' };
  let stream: 'stdout' | 'stderr' = 'stdout';
  for (const [name, value] of keywords) {
    if (name === 'flush') continue;
    if (name === 'file') {
      stream = streamOf(value);
      continue;
    }
    if (name !== 'sep' && name !== 'end')
      throw new ScriptError('TypeError', `'${name}' is an invalid keyword argument for print()`);
    if (value !== null && typeof value !== 'string') {
      throw new ScriptError('TypeError', `${name} must be None or a string, not ${typeName(value)}`);
    }
    if (value !== null) options[name] = value;
  }
  // A log has a line for each write to stderr.
  let whole = '';
  const write = (text: string): void => {
    if (stream === 'stdout') tools.write(text);
    else whole = grown(whole, text, tools.meter);
  };
  for (const [index, value] of positional.entries()) {
    if (index > 0) write(options.sep);
    write(yield* textOf(value, tools));
  }
  write(options.end);
  if (stream === 'stderr') tools.write(whole, stream);
  return null;
}

function streamOf(value: ScriptValue): 'stdout' | 'stderr' {
  if (value === null || (isModule(value) && value.name === 'sys.stdout')) return 'stdout';
  if (isModule(value) && value.name === 'sys.stderr') return 'stderr';
  throw new ScriptError('TypeError', `print() writes to sys.stdout and sys.stderr here, not to ${typeName(value)}`);
}

/** The attribute names of a value, in order. */
function dir(value: ScriptValue, { meter }: Tools): ScriptValue {
  const names = [...attributesOf(value)].sort();
  takeList(names.length, meter);
  return new ListValue(names);
}

function attributesOf(value: ScriptValue): Iterable<string> {
  if (isModule(value) || isObject(value)) return value.names();
  return value instanceof HostVariable ? value.names() : methodNames(value);
}

const extreme = (name: string, operator: '<' | '>'): Builtin =>
  function* ({ positional, keywords }, { meter, iterate }) {
    if (keywords[0]) throw new ScriptError('TypeError', `${name}() takes no keyword arguments here`);
    if (positional.length === 0) throw new ScriptError('TypeError', `${name} expected at least 1 argument, got 0`);
    let best: ScriptValue | undefined;
    for (const value of positional.length === 1 ? iterate(positional[0] as ScriptValue) : positional) {
      if (meter.isTurnOver) yield 'turn';
      meter.spend(1);
      if (best === undefined || (yield* outcomeOf(compare(operator, value, best, meter)))) best = value;
    }
    if (best === undefined) throw new ScriptError('ValueError', `${name}() arg is an empty sequence`);
    return best;
  };

/** Makes `any` and `all`: returns `wanted` as soon as an item has that truth. */
const anyIs = (name: string, wanted: boolean): Builtin =>
  function* (args, { meter, iterate }): Run<ScriptValue> {
    for (const item of iterate(only(name, args, 1, 1)[0] as ScriptValue)) {
      if (meter.isTurnOver) yield 'turn';
      if (isTrue(item) === wanted) return wanted;
    }
    return !wanted;
  };

/** Tuples of the items of one place in several values, as many as the shortest one has. */
function* zip({ positional }: Arguments, tools: Tools): Run<ScriptValue> {
  const rows: (readonly ScriptValue[])[] = [];
  for (const value of positional) rows.push(yield* itemsIn(value, tools));
  const length = rows.length === 0 ? 0 : Math.min(...rows.map((row) => row.length));
  tools.meter.allocate(16 * length * (1 + rows.length));
  const tuples: ScriptValue[] = [];
  for (let index = 0; index < length; index++) {
    if (tools.meter.isTurnOver) yield 'turn';
    tools.meter.spend(1);
    tuples.push(new TupleValue(rows.map((row) => row[index] as ScriptValue)));
  }
  return new ListValue(tuples);
}

const FUNCTIONS: Readonly<Record<string, Builtin>> = {
  ...ATTRIBUTE_FUNCTIONS,
  ...NUMBER_FUNCTIONS,
  print,
  zip,
  sorted,
  min: extreme('min', '<'),
  max: extreme('max', '>'),
  any: anyIs('any', true),
  all: anyIs('all', false),
  type: (args) => classOf(only('type', args, 1, 1)[0] as ScriptValue),
  dir: (args, tools) => dir(only('dir', args, 1, 1)[0] as ScriptValue, tools),
  callable: (args) => {
    const [value = null] = only('callable', args, 1, 1);
    return isCallable(value) || value instanceof DefinedFunction;
  },
  isinstance: (args, { meter }) => {
    const [value = null, classes = null] = only('isinstance', args, 2, 2);
    return isInstance(value, classes, meter);
  },
  *repr(args, tools) {
    const [value = null] = only('repr', args, 1, 1);
    return value instanceof HostVariable ? yield* textOf(value, tools) : yield* repr(value, tools.meter);
  },
  len: (args, { meter, elementCount }) => {
    const [value = null] = only('len', args, 1, 1);
    const length = value instanceof HostVariable ? BigInt(elementCount(value)) : lengthOf(value, meter);
    if (length === undefined) throw new ScriptError('TypeError', `object of type '${typeName(value)}' has no len()`);
    return length;
  },
  *sum(args, { meter, iterate }): Run<ScriptValue> {
    let total: ScriptValue = 0n;
    for (const value of iterate(only('sum', args, 1, 1)[0] as ScriptValue)) {
      if (typeof value === 'string')
        throw new ScriptError('TypeError', "unsupported operand type(s) for +: 'int' and 'str'");
      if (meter.isTurnOver) yield 'turn';
      meter.spend(1);
      total = binary('+', total, value, meter);
    }
    return total;
  },
  *enumerate(args, tools) {
    const [word = 0n] = keywordsOf('enumerate', args, ['start']);
    const [value = null, from = word] = only('enumerate', { ...args, keywords: [] }, 1, 2);
    const start = toInteger(from);
    const items = yield* itemsIn(value, tools);
    tools.meter.allocate(32 * items.length);
    const pairs: ScriptValue[] = [];
    for (const item of items) {
      if (tools.meter.isTurnOver) yield 'turn';
      tools.meter.spend(1);
      pairs.push(new TupleValue([start + BigInt(pairs.length), item]));
    }
    return new ListValue(pairs);
  },
  *reversed(args, tools) {
    return new ListValue((yield* itemsIn(only('reversed', args, 1, 1)[0] as ScriptValue, tools)).reverse());
  },
  *map(args, tools) {
    const [call = null, value = null] = only('map', args, 2, 2);
    const results: ScriptValue[] = [];
    for (const item of yield* itemsIn(value, tools)) {
      if (tools.meter.isTurnOver) yield 'turn';
      results.push(yield* tools.call(call, { positional: [item], keywords: [] }));
    }
    return new ListValue(results);
  },
};

/** Everything that the language has under a name of its own. */
export const BUILTINS: ReadonlyMap<string, Callable> = new Map<string, Callable>([
  ...Object.entries(FUNCTIONS).map(
    ([name, call]) => [name, { kind: 'callable', name, takesElements: true, call }] as const,
  ),
  ...['exit', 'quit'].map((name) => [name, exitFunction(name)] as const),
  ...CLASSES,
  ...CLASS_ALIASES,
]);
