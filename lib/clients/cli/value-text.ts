// Formats values for a terminal, and parses them from a command line.
import type { Description, Measured, SettableValue, TrickValue } from '../trick/index.js';
import { UsageError } from './usage.js';

type Scalar = number | bigint | boolean | string;

/** Arrays are in brackets. Text is unchanged except for characters that would move a terminal's cursor. */
export function formatValue(value: TrickValue | undefined): string {
  if (value === undefined) return 'BAD_REF';
  return typeof value === 'object' ? `[${value.map(formatScalar).join(', ')}]` : formatScalar(value);
}

function formatScalar(value: Scalar): string {
  if (typeof value === 'string') return printable(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return Object.is(value, -0) ? '-0' : String(value);
  return Number.isNaN(value) ? 'nan' : String(value).replace('Infinity', 'inf');
}

/** What moves the cursor of a terminal, clears it, or turns the order of what is shown: strangers may have written it. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text in one line. */
export const printable = (text: string): string =>
  text.replace(UNSAFE, (sign) => `\\x${(sign.codePointAt(0) as number).toString(16).padStart(2, '0')}`);

/** A text whose lines and tabs stay. */
export const printableLines = (text: string): string => text.replace(/[^\n\t]+/g, printable);

/** JSON of the same value, with escapes for what a terminal would act on. */
export const jsonText = (value: unknown, indent?: number): string => escapedJson(JSON.stringify(value, null, indent));

/** The same JSON; what a terminal would act on can stand in its texts only, where it is escaped. */
export const escapedJson = (json: string): string =>
  json.replace(UNSAFE, (sign) => (sign === '\n' ? sign : sign.split('').map(unitEscape).join('')));

const unitEscape = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Name, value and units; a variable without units has two columns. */
export function formatLine(name: string, { value, units }: Measured): string {
  const columns = [printable(name), formatValue(value)];
  if (units !== undefined && units !== '--') columns.push(printable(units));
  return columns.join('\t');
}

const NON_FINITE: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/**
 * Parses `1.5`, `true`, `ENTRY`, `[1, 2, 3]` or `[[1, 2], [3, 4]]` for a variable of the described type. Throws a
 * UsageError.
 */
export function parseValue(text: string, description: Description): SettableValue {
  const { kind } = description.type;
  if (kind === 'text' || kind === 'wideText') return text;
  if (/^\s*\[.*\]\s*$/s.test(text)) return parseList(text, description);
  if (kind === 'character' && !isInteger(text)) return text;
  return parseScalar(text.trim(), description);
}

const isInteger = (text: string): boolean => /^\s*[+-]?\d+\s*$/.test(text);

function parseList(text: string, description: Description): SettableValue {
  const lists: SettableValue[][] = [[]];
  for (const [token] of text.matchAll(/[[\]]|[^[\],]+/g)) {
    if (token === '[') lists.push([]);
    else if (token === ']') close(lists, text);
    else if (token.trim() !== '') lists.at(-1)?.push(parseScalar(token.trim(), description));
  }
  const [outer] = lists;
  if (lists.length !== 1 || outer?.length !== 1) throw new UsageError(`the brackets of ${text} do not match`);
  return outer[0] as SettableValue;
}

function close(lists: SettableValue[][], text: string): void {
  const closed = lists.pop();
  if (!closed || lists.length === 0) throw new UsageError(`the brackets of ${text} do not match`);
  lists.at(-1)?.push(closed);
}

function parseScalar(text: string, { name, type }: Description): Scalar {
  if (type.kind === 'boolean' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (type.kind === 'enumeration' && /^[A-Za-z_]\w*$/.test(text)) return text;
  if (type.kind === 'bigint' && isInteger(text)) return BigInt(text);
  const number = NON_FINITE[text.toLowerCase()] ?? Number(text);
  if (text === '' || (Number.isNaN(number) && text.toLowerCase() !== 'nan'))
    throw new UsageError(`${name} is of type ${type.name}, which ${JSON.stringify(text)} is no value of`);
  return number;
}

/**
 * Parses a word as JSON if it is JSON; otherwise it is text: `1.5`, `[1, 2]`, `{"x": 1}`, `LANDED`. An integer beyond
 * 2^53 - 1 stays text, which is exact.
 */
export function jsonOf(word: string): unknown {
  try {
    const value: unknown = JSON.parse(word);
    return Number.isInteger(value) && !Number.isSafeInteger(value) && /^-?\d+$/.test(word) ? word : value;
  } catch {
    return word;
  }
}
