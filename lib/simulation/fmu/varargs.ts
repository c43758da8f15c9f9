// FMI 2.0's logger is a function like printf, which JavaScript cannot be. The registers and the stack that it is called with are
// taken as plain arguments, and C's own vsnprintf puts them into the text.
import { functionOfC, type Koffi } from './native.js';

/** Integer registers behind those of the five named arguments. */
const MORE_REGISTERS = process.arch === 'arm64' ? 3 : 1;
const FLOATS = 8;
const STACK_WORDS = 24;
const TEXT_BYTES = 8192;

/** The arguments of the logger in C's spelling. */
export const LOGGER_TAKES: readonly string[] = [
  ...['void *', 'void *', 'int', 'void *', 'void *'],
  ...Array<string>(MORE_REGISTERS).fill('int64_t'),
  ...Array<string>(FLOATS).fill('double'),
  ...Array<string>(STACK_WORDS).fill('int64_t'),
];

export type Format = (message: bigint, rest: readonly (number | bigint)[]) => string;

/** Texts come as addresses: only what is wanted is read. */
export function formatter(koffi: Koffi): Format {
  const print = functionOfC(koffi, 'vsnprintf', 'int', ['void *', 'size_t', 'void *', 'void *']) as (
    text: bigint,
    bytes: number,
    format: bigint,
    list: bigint,
  ) => number;
  const registers = koffi.alloc('uint8_t', 8 * 8 + 16 * FLOATS);
  const stack = koffi.alloc('int64_t', STACK_WORDS);
  const list = koffi.alloc('uint8_t', 32);
  const text = koffi.alloc('uint8_t', TEXT_BYTES);
  return (message, rest) => {
    const integers = rest.slice(0, MORE_REGISTERS);
    const floats = rest.slice(MORE_REGISTERS, MORE_REGISTERS + FLOATS);
    const words = rest.slice(MORE_REGISTERS + FLOATS);
    for (const [i, word] of words.entries()) koffi.encode(stack + BigInt(8 * i), 'int64_t', word);
    const integersAt = process.arch === 'arm64' ? 0 : 40;
    for (const [i, word] of integers.entries()) koffi.encode(registers + BigInt(integersAt + 8 * i), 'int64_t', word);
    const floatsAt = process.arch === 'arm64' ? 8 * MORE_REGISTERS + 8 : 48;
    for (const [i, number] of floats.entries()) koffi.encode(registers + BigInt(floatsAt + 16 * i), 'double', number);
    const pointer = (at: number, address: bigint) => koffi.encode(list + BigInt(at), 'uint64_t', address);
    const number = (at: number, value: number) => koffi.encode(list + BigInt(at), 'int32_t', value);
    if (process.arch === 'arm64') {
      // va_list of AAPCS64.
      pointer(0, stack);
      pointer(8, registers + BigInt(8 * MORE_REGISTERS));
      pointer(16, registers + BigInt(floatsAt + 16 * FLOATS));
      number(24, -8 * MORE_REGISTERS);
      number(28, -16 * FLOATS);
    } else {
      // va_list of the System V ABI: five integer registers are taken.
      number(0, integersAt);
      number(4, floatsAt);
      pointer(8, stack);
      pointer(16, registers);
    }
    print(text, TEXT_BYTES, message, list);
    return String(koffi.decode(text, 'char', -1));
  };
}
