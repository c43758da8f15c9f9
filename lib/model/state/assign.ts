// What a client may store in a variable: fractions are cut off for integers, as in C, and every value of another kind,
// shape or range is refused with one sentence.

import { type FitRule, fit } from './fit-value.js';
import type { Memory } from './memory.js';
import type { Value } from './read.js';
import { findMember, type Member, type StructType, sizeOf, type Type } from './type.js';
import { locate, type Variable } from './variable.js';
import { storeValue } from './write.js';

/** A value that does not fit its variable. Nothing has been changed. */
export class AssignmentError extends Error {
  override readonly name = 'AssignmentError';

  /** @param isReadOnly whether the variable refuses all values. */
  constructor(
    message: string,
    readonly isReadOnly = false,
  ) {
    super(message);
  }
}

/**
 * By which rule values are taken. `trick`, on Trick's wire: a list that is shorter than its array sets the other elements
 * to zero, floats are the integers that they equal, and one too large for a float is infinite. `exact`, of programs: integers
 * take no fractions. `initial`: nor does anything start as NaN.
 */
export type Rule = 'whole' | 'trick' | 'exact' | 'initial';

const client = { from: 'client', error: (sentence: string) => new AssignmentError(sentence) } as const;
const RULES: Readonly<Record<Rule, FitRule>> = {
  whole: { ...client, cutsFractions: true },
  trick: { ...client, cutsFractions: true, overflows: true, isTrick: true },
  exact: client,
  initial: { ...client, isInitial: true },
};

/**
 * The value as the variable will hold it, with long lists of numbers packed; by Trick's rule a list that is shorter than its
 * array stays short. Throws an AssignmentError that names the variable and both types.
 */
export function convertFor(
  variable: Pick<Variable, 'path' | 'type' | 'access'>,
  value: Value,
  rule: Rule = 'whole',
): Value {
  if (variable.access === 'read-only') throw new AssignmentError(`${variable.path} is read-only`, true);
  return fit(variable.type, value, { path: () => variable.path, rule: RULES[rule] });
}

/** Stores what `convertFor` returned. Throws an AssignmentError while the variable cannot be reached. */
export function assign(variable: Variable, memory: Memory, converted: Value): void {
  storeValue(memory, variable.type, placeOf(variable, memory), converted);
}

function placeOf(variable: Variable, memory: Memory): number {
  const offset = locate(variable, memory);
  if (offset >= 0) return offset;
  throw new AssignmentError(`${variable.path} is not there: a pointer on the way is null or an index too large`);
}

export interface Assignment {
  readonly variable: Variable;
  /** A value that `convertFor` returned. */
  readonly value: Value;
}

/**
 * Stores all values in order or, when one variable cannot be reached, none.
 * @param accept called when all are stored; if it throws, all are undone.
 */
export function assignAll(assignments: readonly Assignment[], memory: Memory, accept: () => void = () => {}): void {
  const before = new Before(memory, assignments);
  try {
    for (const { variable, value } of assignments) {
      const offset = placeOf(variable, memory);
      before.keep(variable.type, offset, value);
      storeValue(memory, variable.type, offset, value);
    }
    accept();
  } catch (error) {
    before.restore();
    throw error;
  }
}

/** Bytes of the state that a value sets, however short its lists are. */
export function bytesSet(type: Type, value: Value): number {
  if (type.kind !== 'struct') return sizeOf(type);
  let sum = 0;
  for (const [member, item] of given(type, value)) sum += bytesSet(member.type, item);
  return sum;
}

/** The members of a structure that a converted value gives. */
function given(type: StructType, value: Value): [Member, Value][] {
  return Object.entries(value as Record<string, Value>).flatMap(([name, item]) => {
    const member = findMember(type, name);
    return member ? [[member, item]] : [];
  });
}

/** Bytes of a number or two. */
const FEW_BYTES = 16;

/** The bytes that assignments overwrite, side by side, because one request may have thousands. */
class Before {
  private readonly bytes: Buffer;
  private readonly places: number[] = [];
  private readonly ends: number[] = [];

  constructor(
    private readonly memory: Memory,
    assignments: readonly Assignment[],
  ) {
    this.bytes = Buffer.allocUnsafe(
      assignments.reduce((sum, { variable, value }) => sum + bytesSet(variable.type, value), 0),
    );
  }

  /** Of a structure only the members that are given: those of an object lie far apart. */
  keep(type: Type, offset: number, value: Value): void {
    if (type.kind !== 'struct') this.keepBytes(offset, sizeOf(type));
    else for (const [member, item] of given(type, value)) this.keep(member.type, offset + member.offsetBytes, item);
  }

  private keepBytes(offset: number, sizeBytes: number): void {
    const start = this.ends.at(-1) ?? 0;
    // A call for each of thousands of numbers would take longer than what it copies.
    if (sizeBytes > FEW_BYTES) this.memory.bytes.copy(this.bytes, start, offset, offset + sizeBytes);
    else for (let at = 0; at < sizeBytes; at++) this.bytes[start + at] = this.memory.bytes[offset + at] as number;
    this.places.push(offset);
    this.ends.push(start + sizeBytes);
  }

  /** Takes the latest back first, because two may be of the same bytes. */
  restore(): void {
    for (let index = this.places.length - 1; index >= 0; index--) {
      this.bytes.copy(this.memory.bytes, this.places[index], this.ends[index - 1] ?? 0, this.ends[index]);
    }
  }
}
