// Names that clients may not give to objects and variables: those that mean something in a protocol or in its language.

/** Words of Trick's language and wire, of the JSON methods, and of Python. */
const RESERVED = new Set([
  ...[
    'trick',
    'sys',
    'math',
    'os',
    'time',
    'sim',
    'var',
    'world',
    'rpc',
    'registry',
    'BAD_REF',
    'print',
    'exec',
    'open',
  ],
  ...[
    'True',
    'False',
    'None',
    'and',
    'or',
    'not',
    'in',
    'is',
    'if',
    'elif',
    'else',
    'for',
    'while',
    'break',
    'continue',
  ],
  ...[
    'def',
    'return',
    'import',
    'from',
    'as',
    'global',
    'nonlocal',
    'pass',
    'class',
    'try',
    'except',
    'finally',
    'raise',
  ],
  ...['with', 'lambda', 'yield', 'del', 'assert', 'async', 'await', '__proto__', 'constructor', 'prototype'],
]);

/** Functions, classes and errors of Trick's language: an object of that name would hide them from every session. */
const OF_BLOCKS = new Set(
  [
    'abs all any bin bool callable chr dict dir divmod enumerate exit float getattr hasattr hex int isinstance len list',
    'map max min object oct ord pow print quit range repr reversed round setattr sorted str sum tuple type zip SystemExit ArithmeticError AssertionError AttributeError BaseException Exception',
    'FileNotFoundError IOError ImportError IndexError KeyError LookupError MemoryError NameError NotImplementedError OSError',
    'OverflowError RecursionError RuntimeError TypeError ValueError ZeroDivisionError',
  ].flatMap((names) => names.split(' ')),
);

/** Whether an object of a name would hide what the name means in every session's blocks. */
export const hidesWord = (name: string): boolean => OF_BLOCKS.has(name);

const OVERLAY_PREFIX = 'trick_';

/**
 * Whether an object belongs to an overlay: it describes the run, and neither clients nor checkpoints change it. Memory
 * without a name has such a name in Trick's checkpoints and belongs to the simulation.
 */
export const isOverlayObject = (name: string): boolean =>
  name.startsWith(OVERLAY_PREFIX) && !/^trick_anon_local_\d+$/.test(name);

/** Whether a name means something already, in a protocol, its language or an overlay. */
export const isReserved = (name: string): boolean =>
  RESERVED.has(name) || name.startsWith(OVERLAY_PREFIX) || name.startsWith('__');

/** Throws an Error, in one sentence, for a name that clients may not give. */
export function checkFreeName(name: string): void {
  if (isReserved(name)) throw new Error(`${name} is a name of a protocol or its language; give the object another one`);
}

/** The same for an object, whose name comes before the words of blocks. */
export function checkFreeObjectName(name: string): void {
  checkFreeName(name);
  if (hidesWord(name)) throw new Error(`${name} is a word of Trick's language; give the object another name`);
}
