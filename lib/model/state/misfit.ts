// The sentences for a value that does not fit its type.
import { charactersIn } from './memory.js';
import { didYouMean, nearestNames } from './suggest.js';
import { type Characters, describeType, type NumberType, type StructType, type TextType, type Type } from './type.js';

/** A value does not fit its variable, parameter or result; nothing has been changed. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError';
}

const LONGEST_QUOTE = 40;

/** Such as `fx.all.w_i is an int; the text "12" does not fit`. */
export function doesNotFit(where: string, type: Type, value: unknown): string {
  const given = value === undefined ? 'no value was given' : `${kindOf(value)} does not fit`;
  return `${where} is ${withArticle(describeType(type))}; ${given}`;
}

/** The sentence for a number outside the declared range; undefined when it lies within. */
export function outOfRange(where: string, { min, max }: NumberType, value: unknown): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  const number = Number(value);
  if (number >= (min ?? Number.NEGATIVE_INFINITY) && number <= (max ?? Number.POSITIVE_INFINITY)) return undefined;
  const range = min === undefined ? `up to ${max}` : max === undefined ? `from ${min} up` : `from ${min} to ${max}`;
  return `${where} is a number ${range}, not ${number}`;
}

export const tooLarge = (where: string, { name }: NumberType): string =>
  `${where} is ${withArticle(name)}, which has no room for so large a number`;

/** The sentence for a text that no variable can hold; undefined for any other. */
export function noText(where: () => string, text: string): string | undefined {
  if (text.includes('\0')) return `${where()} cannot hold text with a NUL in it`;
  return /\p{Surrogate}/u.test(text) ? `${where()} cannot hold text with half a character in it` : undefined;
}

export function noRoomForText(where: string, type: Characters | TextType, text: string): string {
  if (type.kind === 'array' && type.element.name === 'wchar_t')
    return `${where} has room for ${type.length - 1} characters of text, not ${charactersIn(text)}`;
  const room = type.kind === 'text' ? type.capacityBytes : type.length - 1;
  return `${where} has room for ${room} bytes of text, not ${Buffer.byteLength(text)}`;
}

export function noSuchMember(where: string, type: StructType, name: string): string {
  const names = type.members.map((member) => member.name);
  return `${where} has no member ${/^\w{1,40}$/.test(name) ? name : quoted(name)}${didYouMean(nearestNames(name, names))}`;
}

export function noSuchLabel(where: string, name: string, labels: readonly string[], asked: string): string {
  const near = didYouMean(nearestNames(asked, labels));
  return `${where} is ${withArticle(name)}, which has no label ${quoted(asked)}${near}`;
}

export const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);

function kindOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return `the text ${quoted(value)}`;
    case 'boolean':
      return `the truth value ${value}`;
    case 'number':
    case 'bigint':
      return `the number ${digitsOf(value)}`;
    case 'object':
      return kindOfObject(value);
    default:
      return `a ${typeof value}`;
  }
}

/** Limited, because writing out an integer of a million digits takes seconds. */
export const digitsOf = (value: number | bigint): string =>
  typeof value === 'number' || BigInt.asIntN(128, value) === value ? `${value}` : 'of more than 128 bits';

function kindOfObject(value: object | null): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return Symbol.iterator in value ? 'a list' : 'a structure';
}
