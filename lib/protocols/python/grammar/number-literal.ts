// The values of number literals.
import { SyntaxProblem } from './syntax-error.js';
import type { Float, Integer } from './tree.js';

/** Converting a longer decimal takes too long; Python has the same limit. */
const maxDecimalDigits = 4300;

/** An integer in Python's spellings, exact at any size. Throws a SyntaxProblem. */
export function parseInteger(image: string, at: number): Integer {
  const digits = image.replaceAll('_', '');
  const isDecimal = !/^0[xXoObB]/.test(digits);
  if (isDecimal && digits.length > maxDecimalDigits) {
    const message = `Exceeds the limit (${maxDecimalDigits} digits) for integer string conversion: value has ${digits.length} digits`;
    throw new SyntaxProblem(message, at, image.length);
  }
  const value = Number(digits);
  return { kind: 'integer', at, value: Number.isSafeInteger(value) ? value : BigInt(digits) };
}

/** A float as C's strtod reads it; too large ones are infinite. */
export function parseReal(image: string, at: number): Float {
  return { kind: 'float', at, value: Number(image.replaceAll('_', '')) };
}
