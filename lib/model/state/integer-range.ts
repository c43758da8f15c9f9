// Which whole numbers a type holds, and when a number is too large to be exact.
import { digitsOf, withArticle } from './misfit.js';
import {
  type BitsType,
  cellOf,
  cNameOf,
  type EnumerationType,
  NUMBER_FACTS,
  type NumberName,
  type NumberType,
  type Type,
} from './type.js';

export type IntegerType = NumberType | BitsType | EnumerationType;

type Range = readonly [lowest: bigint, highest: bigint];

const rangeOfBits = (width: bigint, isSigned: boolean): Range =>
  isSigned ? [-(2n ** (width - 1n)), 2n ** (width - 1n) - 1n] : [0n, 2n ** width - 1n];

const RANGES = Object.fromEntries(
  Object.entries(NUMBER_FACTS).map(([name, { sizeBytes, isSigned }]) => [
    name,
    rangeOfBits(BigInt(8 * sizeBytes), isSigned),
  ]),
) as Readonly<Record<NumberName, Range>>;

/** The least and the greatest whole number of a type. */
export function rangeOf(type: IntegerType): Range {
  if (type.kind === 'bits') return rangeOfBits(BigInt(type.widthBits), type.isSigned);
  return RANGES[type.kind === 'enumeration' ? cellOf(type) : type.name];
}

/** Whether values of a type are whole numbers. */
export const isIntegral = (type: Type): type is IntegerType =>
  type.kind === 'bits' ||
  type.kind === 'enumeration' ||
  (type.kind === 'number' && NUMBER_FACTS[type.name].family.endsWith('integer'));

/**
 * Why a type does not hold the whole part of a finite number; undefined when it does. JSON and JavaScript read 2^53 + 1 as
 * 2^53, so a larger number may have lost digits.
 * @param takesLarge whether such a number is taken for what it is.
 */
export function whyNotInteger(
  where: () => string,
  type: IntegerType,
  value: number | bigint | boolean,
  takesLarge = false,
): string | undefined {
  const integer = BigInt(typeof value === 'number' ? Math.trunc(value) : value);
  const [lowest, highest] = rangeOf(type);
  if (integer < lowest || integer > highest)
    return `${where()} is a whole number from ${lowest} to ${highest}; the number ${digitsOf(integer)} does not fit`;
  if (takesLarge || typeof value !== 'number' || Number.isSafeInteger(Math.trunc(value))) return undefined;
  return `${where()} is ${withArticle(cNameOf(type))}; a number beyond 2^53 - 1 such as ${value} may have lost digits: in JSON it is given as text, in a program as bigint`;
}
