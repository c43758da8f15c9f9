// The modules `sys`, for its streams, and `math`, for its functions.
import { exitFunction } from './classes.js';
import { ScriptError } from './error.js';
import { toReal } from './number-of.js';
import { typeName } from './type-name.js';
import { type Arguments, type Callable, type ModuleValue, type ScriptValue, type Tools, TupleValue } from './values.js';

export function fixedModule(name: string, attributes: Readonly<Record<string, ScriptValue>>): ModuleValue {
  const table = new Map(Object.entries(attributes));
  return { kind: 'module', name, attribute: (attribute) => table.get(attribute), names: () => table.keys() };
}

/** The version of Python whose answers the language gives. */
const PYTHON_VERSION = '3.11.7 (varwire)';
const VERSION_INFO = new TupleValue([3n, 11n, 7n, 'final', 0n], ['major', 'minor', 'micro', 'releaselevel', 'serial']);

/** `sys.stdout.write("...")`; each call is one write. */
export const sysModule: ModuleValue = fixedModule('sys', {
  stdout: streamModule('stdout'),
  stderr: streamModule('stderr'),
  version: PYTHON_VERSION,
  version_info: VERSION_INFO,
  exit: exitFunction('exit'),
});

function streamModule(stream: 'stdout' | 'stderr'): ModuleValue {
  const call = ({ positional, keywords }: Arguments, tools: Tools): ScriptValue => {
    const [text] = positional;
    if (positional.length !== 1 || keywords.length > 0) {
      throw new ScriptError('TypeError', `write() takes exactly one argument (${positional.length} given)`);
    }
    if (typeof text !== 'string')
      throw new ScriptError('TypeError', `write() argument must be str, not ${typeName(text ?? null)}`);
    tools.write(text, stream);
    return BigInt(text.length);
  };
  return fixedModule(`sys.${stream}`, {
    write: { kind: 'callable', name: 'write', call },
    flush: { kind: 'callable', name: 'flush', call: () => null },
  });
}

const ONE_REAL: Readonly<Record<string, (x: number) => number>> = {
  sqrt: Math.sqrt,
  exp: Math.exp,
  log10: Math.log10,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  expm1: Math.expm1,
  log1p: Math.log1p,
  fabs: Math.abs,
  degrees: (x) => x * (180 / Math.PI),
  radians: (x) => x * (Math.PI / 180),
};

const TWO_REALS: Readonly<Record<string, (x: number, y: number) => number>> = {
  atan2: Math.atan2,
  pow: (x, y) => (x === 1 ? 1 : x ** y),
  fmod: (x, y) => x % y,
  copysign: (x, y) => (y < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
};

/** `floor`, `ceil` and `trunc`, which give an integer. */
const TO_INTEGER: Readonly<Record<string, (x: number) => number>> = {
  floor: Math.floor,
  ceil: Math.ceil,
  trunc: Math.trunc,
};

const TESTS: Readonly<Record<string, (x: number) => boolean>> = {
  isnan: Number.isNaN,
  isinf: (x) => Math.abs(x) === Number.POSITIVE_INFINITY,
  isfinite: Number.isFinite,
};

/** A function that takes this many numbers, or up to `most`. */
function ofReals(
  name: string,
  count: number,
  compute: (...reals: number[]) => ScriptValue,
  most: number = count,
): Callable {
  const call = ({ positional, keywords }: Arguments): ScriptValue => {
    if (positional.length < count || positional.length > most || keywords.length > 0) {
      const takes =
        most > count ? `${count} or ${most} arguments` : count === 1 ? 'exactly one argument' : `${count} arguments`;
      throw new ScriptError('TypeError', `math.${name}() takes ${takes} (${positional.length} given)`);
    }
    for (const value of positional) {
      if (typeof value === 'string') throw new ScriptError('TypeError', 'must be real number, not str');
    }
    return compute(...positional.map(toReal));
  };
  return { kind: 'callable', name, call };
}

function logarithm(x: number, base?: number): number {
  if (base === undefined) return Math.log(x);
  if (base === 1 && x > 0) throw new ScriptError('ZeroDivisionError', 'float division by zero');
  return Math.log(x) / Math.log(base);
}

/** A NaN from arguments without NaN means that an argument is outside the function's domain. */
function inDomain(result: number, reals: readonly number[]): number {
  if (Number.isNaN(result) && !reals.some(Number.isNaN)) throw new ScriptError('ValueError', 'math domain error');
  if (!Number.isFinite(result) && reals.every(Number.isFinite)) {
    throw result < 0
      ? new ScriptError('ValueError', 'math domain error')
      : new ScriptError('OverflowError', 'math range error');
  }
  return result;
}

function toWhole(compute: (x: number) => number, x: number): bigint {
  if (!Number.isFinite(x)) throw new ScriptError('ValueError', 'infinity and NaN are no integers');
  return BigInt(compute(x));
}

function mathFunctions(): Record<string, ScriptValue> {
  const of = <T>(table: Readonly<Record<string, T>>, make: (name: string, compute: T) => Callable) =>
    Object.entries(table).map(([name, compute]) => [name, make(name, compute)] as const);
  return Object.fromEntries([
    ...of(ONE_REAL, (name, compute) => ofReals(name, 1, (x = 0) => inDomain(compute(x), [x]))),
    ...of(TWO_REALS, (name, compute) => ofReals(name, 2, (x = 0, y = 0) => inDomain(compute(x, y), [x, y]))),
    ...of(TO_INTEGER, (name, compute) => ofReals(name, 1, (x = 0) => toWhole(compute, x))),
    ['log', ofReals('log', 1, (x = 0, base) => inDomain(logarithm(x, base), [x, base ?? 2]), 2)],
    ['hypot', ofReals('hypot', 0, (...reals) => inDomain(Math.hypot(...reals), reals), Number.POSITIVE_INFINITY)],
    ...of(TESTS, (name, compute) => ofReals(name, 1, (x = 0) => compute(x))),
  ]);
}

export const mathModule: ModuleValue = fixedModule('math', {
  ...mathFunctions(),
  pi: Math.PI,
  e: Math.E,
  tau: 2 * Math.PI,
  inf: Number.POSITIVE_INFINITY,
  nan: Number.NaN,
});

/** What Python 3 does anyway. */
export const futureModule: ModuleValue = fixedModule('__future__', {
  print_function: null,
  division: null,
  absolute_import: null,
  unicode_literals: null,
});
