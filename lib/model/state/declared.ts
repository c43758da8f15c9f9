// What stands where a declaration is wanted, for simulations that no compiler has checked.
import { digitsOf } from './misfit.js';
import { requireOptions } from './option-names.js';
import type { Type } from './type.js';

const OPTIONS = ['units', 'about', 'access', 'checkpointIo', 'fixed', 'min', 'max', 'signed', 'declaredAs', 'storedAs'];

/** Throws a TypeError with one sentence for anything but a declaration, such as `double` without its brackets. */
export function requireDeclared(declared: unknown, where: string): void {
  if (typeof declared === 'object' && declared !== null && 'type' in declared) return;
  const found =
    typeof declared === 'number' || typeof declared === 'bigint'
      ? `the number ${digitsOf(declared)}`
      : `a value of type ${typeof declared}`;
  const given = typeof declared === 'function' ? 'a function: its brackets are missing' : found;
  throw new TypeError(`${where} needs a declaration such as double(), not ${given}`);
}

/** Throws a TypeError for an element type that is not declared, and a RangeError for an unknown option. */
export function requireComplete(type: Type, options: object): void {
  const isIncomplete =
    ((type.kind === 'array' || type.kind === 'sequence') && type.element === undefined) ||
    (type.kind === 'pointer' && type.target === undefined);
  if (isIncomplete) {
    throw new TypeError(`the elements of a ${type.kind} need a declaration such as double(), with its brackets`);
  }
  requireOptions('a declaration', options, OPTIONS);
}
