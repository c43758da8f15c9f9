// The package koffi, with which native libraries are called. It is optional, and looked up when an FMU runs.
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A pointer is a bigint, and a buffer is passed by its address. */
type Native = (...given: never[]) => unknown;

export interface NativeLibrary {
  func(name: string, result: string, takes: readonly string[]): Native;
}

/** What is used of koffi. */
export interface Koffi {
  load(file: string): NativeLibrary;
  config(changes?: Record<string, number>): Record<string, number>;
  proto(declaration: string): unknown;
  proto(name: string, result: string, takes: readonly string[]): unknown;
  pointer(type: unknown): unknown;
  register(call: (...given: never[]) => unknown, type: unknown): bigint;
  alloc(type: string, count: number): bigint;
  encode(pointer: bigint, type: string, value: unknown, length?: number): void;
  decode(pointer: bigint, type: string, length?: number): unknown;
  address(pointer: unknown): bigint;
}

/** C code of models takes more than the 2 MB of stack that koffi gives it. */
const STACK_BYTES = 16 * 1024 * 1024;

const known = new Map<string, Koffi>();

/** Throws an Error that says what to install. @param directories from which it is looked up. */
export function koffiFrom(directories: readonly string[]): Koffi {
  for (const directory of [...directories, import.meta.dirname]) {
    const found = known.get(directory) ?? lookedUp(directory);
    if (!found) continue;
    if (!known.has(directory)) found.config({ ...found.config(), sync_stack_size: STACK_BYTES });
    known.set(directory, found);
    return found;
  }
  throw new Error('FMUs need the package koffi, which calls their libraries: npm i koffi');
}

function lookedUp(directory: string): Koffi | undefined {
  try {
    return createRequire(join(directory, 'x.js'))('koffi') as Koffi;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'MODULE_NOT_FOUND' && message.includes("'koffi'")) return undefined;
    throw new Error(`the package koffi cannot be loaded: ${message.split('\n')[0]}`, { cause: error });
  }
}

/** Addresses of functions of the C library, for FMUs that allocate by them. */
export function symbolsOfC(koffi: Koffi): (name: string) => bigint {
  const find = functionOfC(koffi, 'dlsym', 'void *', ['void *', 'str']) as (handle: null, name: string) => bigint;
  return (name) => find(null, name);
}

export function functionOfC(koffi: Koffi, name: string, result: string, takes: readonly string[]): Native {
  let failure: unknown;
  for (const file of process.platform === 'darwin' ? ['libSystem.B.dylib'] : ['libc.so.6', 'libdl.so.2', 'libc.so']) {
    try {
      return koffi.load(file).func(name, result, takes);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
