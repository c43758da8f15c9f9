// The command that sets a variable; a value of a wrong kind is refused, because it can end a Trick simulation.
import type { Decoded } from './binary-decoder.js';
import { ValueTypeError } from './errors.js';
import { isPath, literal, quote } from './python-literal.js';
import { integerRange, type TrickType } from './trick-type.js';
import type { SettableValue } from './value.js';

export interface SetCommand {
  readonly text: string;
  /** True for text that can fail, such as an assignment; a var_set with a value that does not fit does nothing. */
  readonly mayFail: boolean;
}

/**
 * @param current the variable as it was read; undefined when it cannot be read (write-only, or too large). Throws a
 * ValueTypeError when the value does not fit the variable.
 */
export function setCommand(
  name: string,
  value: SettableValue,
  units: string | undefined,
  current: Decoded | undefined,
): SetCommand {
  if (current) checkFits(name, value, current, units);
  if (!Array.isArray(value)) {
    const inUnits = units === undefined ? '' : `, ${quote(units)}`;
    const isLabel = current?.type.kind === 'enumeration' && typeof value === 'string';
    return { text: `trick.var_set(${quote(name)}, ${literalFor(value, current)}${inUnits})\n`, mayFail: isLabel };
  }
  if (!isPath(name))
    throw new ValueTypeError(`${name} is no path of members and indices, so no array can be assigned to it`);
  const list = literalFor(value, current);
  return {
    text: `${name} = ${units === undefined ? list : `trick.attach_units(${quote(units)}, ${list})`}\n`,
    mayFail: true,
  };
}

/** Trick knows the labels of enumerations as names of its module; of a text, it would store 0. */
function literalFor(value: SettableValue, current: Decoded | undefined): string {
  if (current?.type.kind !== 'enumeration') return literal(value);
  if (Array.isArray(value)) return `[${value.map((leaf) => literalFor(leaf, current)).join(', ')}]`;
  return typeof value === 'string' ? `trick.${value}` : literal(value);
}

function checkFits(name: string, value: SettableValue, { type, elements }: Decoded, units: string | undefined): void {
  if (type.kind === 'wideText')
    throw new ValueTypeError(`${name} is wide text, which Trick would fill with narrow characters`);
  if (!Array.isArray(value) && (elements !== 1 || type.kind === 'opaque'))
    throw new ValueTypeError(`${name} is ${described(type, elements)}; ${shown(value)} is a single value`);
  if (leaves(value).some((leaf) => !fits(leaf, type)))
    throw new ValueTypeError(`${name} is ${described(type, elements)}, which ${shown(value)} does not go with`);
  const isFraction = (leaf: SettableValue) => units === undefined && isWhole(type) && !isWholeNumber(leaf);
  const outside = leaves(value).find((leaf) => isOutside(leaf, type) || isFraction(leaf));
  if (outside !== undefined)
    throw new ValueTypeError(
      `${name} is ${described(type, elements)}, which cannot hold ${shown(outside)}${isWhole(type) && isInexact(outside) ? ' exactly: give a bigint' : ''}`,
    );
}

const described = (type: TrickType, elements: number): string =>
  elements === 1 ? `of type ${type.name}` : `an array of ${elements} elements of type ${type.name}`;

/** The single values of an array of any number of dimensions, row by row. */
export const leaves = (value: SettableValue): SettableValue[] =>
  Array.isArray(value) ? value.flatMap(leaves) : [value];

function fits(leaf: SettableValue, { kind }: TrickType): boolean {
  if (kind === 'opaque') return true;
  if (kind === 'enumeration' && typeof leaf === 'string') return /^[A-Za-z_]\w*$/.test(leaf);
  return (typeof leaf === 'string') === (kind === 'text' || kind === 'wideText' || isCharacters(kind, leaf));
}

/** A char array of one element reads like a char; both take text or numbers. */
const isCharacters = (kind: TrickType['kind'], leaf: SettableValue): boolean =>
  kind === 'character' && typeof leaf === 'string';

const WHOLE: readonly TrickType['kind'][] = ['character', 'integer', 'bigint', 'boolean', 'enumeration'];
/** Whether a variable holds whole numbers alone; Trick drops the fraction of any other. */
export const isWhole = ({ kind }: TrickType): boolean => WHOLE.includes(kind);

const isWholeNumber = (leaf: SettableValue): boolean => typeof leaf !== 'number' || Number.isInteger(leaf);

/**
 * Whether a number is outside what the variable can hold, of which Trick would store the lowest bits or infinity, or may have lost
 * digits as a JavaScript number.
 */
function isOutside(leaf: SettableValue, type: TrickType): boolean {
  const range = integerRange(type);
  if (type.format === 'float' && typeof leaf === 'number')
    return Number.isFinite(leaf) && !Number.isFinite(Math.fround(leaf));
  if (!range || (typeof leaf !== 'number' && typeof leaf !== 'bigint')) return false;
  return leaf < range.least || leaf > range.most || isInexact(leaf);
}

const isInexact = (leaf: SettableValue): boolean => Number.isInteger(leaf) && !Number.isSafeInteger(leaf);

export function shown(value: SettableValue): string {
  const text = typeof value === 'string' ? quote(value) : literal(value);
  return text.length > 40 ? `${text.slice(0, 40)}...` : text;
}
