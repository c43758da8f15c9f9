// Initial values as they are declared: a function makes each element of an array from its index; numbers fit exactly.
import type { Declared } from './declare.js';
import { requireDeclared } from './declared.js';
import { fitFloating, fitInteger } from './fit-value.js';
import { fitsPlainly } from './integer-range.js';
import { MisfitError } from './misfit.js';
import { byMembers } from './pair.js';
import { findMember, isCharacters, NUMBER_FACTS, type NumberType, type Type } from './type.js';
import { isList } from './write.js';

/** The value with each such function replaced by what it returns. */
function expanded(type: Type, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (type.kind === 'array') return expandedElements(type.element, type.length, value);
  if (typeof value !== 'object' || value === null) return value;
  if (type.kind === 'sequence' && Array.isArray(value)) return value.map((item) => expanded(type.element, item));
  if (type.kind !== 'struct') return value;
  const given = byMembers(type, value) as object;
  if (Symbol.iterator in given) return value;
  const members = Object.entries(given).map(([name, item]) => {
    const member = findMember(type, name);
    return [name, member ? expanded(member.type, item) : item];
  });
  return Object.fromEntries(members);
}

function expandedElements(element: Type, length: number, value: unknown): unknown {
  if (typeof value === 'function') return Array.from({ length }, (_, index) => expanded(element, value(index)));
  if (element.kind === 'number' || !Array.isArray(value)) return value;
  return value.map((item) => expanded(element, item));
}

/**
 * The whole initial value of a component. Throws a TypeError for anything but a declaration, and a MisfitError as
 * below.
 */
export function initialValue(declared: Declared, initial: unknown, path: string): unknown {
  requireDeclared(declared, path);
  const value = expanded(declared.type, initial);
  requireExactNumbers(declared.type, value, path, { takesNaN: false });
  return value;
}

interface Wanted {
  /** Whether NaN fits where a floating-point number does. */
  readonly takesNaN: boolean;
}

/**
 * Throws a MisfitError for the first number in a value that its type cannot hold: NaN, a fraction or too large a number
 * for an integer. Whatever else does not fit is left to the assignment.
 * @param where the name of the place in sentences.
 */
export function requireExactNumbers(type: Type, value: unknown, where: string, wanted: Wanted): void {
  if (typeof value === 'number' || typeof value === 'bigint') {
    requireExactNumber(type, value, where, wanted);
    return;
  }
  if (isCharacters(type)) return;
  const element = elementOf(type);
  if (element && isList(value)) {
    let index = 0;
    for (const item of value) {
      if (!fitsPlainly(element, item)) requireExactNumbers(element, item, `${where}[${index}]`, wanted);
      index++;
    }
  }
  if (type.kind !== 'struct' || typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(byMembers(type, value) as object)) {
    const member = findMember(type, name);
    if (member) requireExactNumbers(member.type, item, `${where}.${name}`, wanted);
  }
}

function elementOf(type: Type): Type | undefined {
  if (type.kind === 'pointer') return type.target;
  return type.kind === 'array' || type.kind === 'sequence' ? type.element : undefined;
}

function requireExactNumber(type: Type, value: number | bigint, where: string, { takesNaN }: Wanted): void {
  if (type.kind === 'bits' || type.kind === 'enumeration') fitInteger(type, value, where);
  if (type.kind !== 'number') return;
  if (isFloating(type)) {
    if (Number.isNaN(value) && !takesNaN && !hasRange(type))
      throw new MisfitError(`${where} starts as NaN, which is no number`);
    fitFloating(type, value, where);
  } else if (type.name !== 'bool') fitInteger(type, value, where);
}

/** Whether a number out of range gets the sentence about its range, which says more. */
const hasRange = ({ min, max }: NumberType): boolean => min !== undefined || max !== undefined;
const isFloating = ({ name }: NumberType): boolean => NUMBER_FACTS[name].family === 'floating';
