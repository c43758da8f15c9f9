// Converts what a simulation's function returned to plain data that can be sent to another thread.
import type { Value } from '../../model/state/read.js';

/** Deeper than any state; a structure that contains itself is refused here. */
const DEEPEST = 32;

/**
 * Views and typed arrays become lists and objects, so that the answer shows their values at the call. Undefined when
 * nothing was returned. Throws a TypeError that names what cannot be part of an answer.
 */
export function returnedValue(returned: unknown): Value | undefined {
  return returned === undefined ? undefined : plain(returned, 'what it returned', 0);
}

function plain(value: unknown, where: string, depth: number): Value {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
    case 'string':
      return value;
    case 'object':
      return value === null ? null : plainObject(value, where, depth + 1);
    default:
      throw new TypeError(`${where} is a ${typeof value}, not a plain value`);
  }
}

function plainObject(value: object, where: string, depth: number): Value {
  if (depth > DEEPEST) throw new TypeError(`${where} is nested more than ${DEEPEST} deep`);
  if (Symbol.iterator in value) {
    return Array.from(value as Iterable<unknown>, (item, index) => plain(item, `${where}[${index}]`, depth));
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.map(([name, item]) => [name, plain(item, `${where}.${name}`, depth)]));
}
