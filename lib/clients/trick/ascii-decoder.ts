// Fields of ASCII replies as values; numbers have 16 digits here, only binary replies are exact.
import type { TrickType } from './trick-type.js';
import type { TrickValue } from './value.js';

/** A field of a reply. `value` is undefined for BAD_REF and for a value that did not fit. */
export interface Field {
  readonly value: TrickValue | undefined;
  readonly units: string | undefined;
  readonly isCut?: true;
}

/** Trick cuts a value off here, in the middle of a number if need be. Trick: MAX_MSG_LEN */
const LONGEST_FIELD = 8190;

const BAD_REF = 'BAD_REF';
const NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const INTEGER = /^-?\d+$/;
const NON_FINITE: ReadonlyMap<string, number> = new Map([
  ['nan', Number.NaN],
  ['-nan', Number.NaN],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
]);

/**
 * @param type the variable's type, if a binary reply has told; otherwise a text that looks like a number is one.
 * @param hasUnits whether units were asked for: only then does ` {m}` at the end mean units.
 */
export function decodeField(field: string, type: TrickType | undefined, hasUnits: boolean): Field {
  if (field.length >= LONGEST_FIELD) return { value: undefined, units: undefined, isCut: true };
  const [, text, units] = (hasUnits && /^(.*) \{([^{}]*)\}$/s.exec(field)) || [undefined, field, undefined];
  return { value: text === BAD_REF ? undefined : decodeText(text as string, type), units };
}

function decodeText(text: string, type: TrickType | undefined): TrickValue {
  if (type?.kind === 'text' || type?.kind === 'wideText') return text;
  const parts = text.split(',');
  if (!parts.every((part) => NUMBER.test(part) || NON_FINITE.has(part))) return text;
  const elements = parts.map((part) => decodeNumber(part, type));
  return (elements.length === 1 ? elements[0] : elements) as TrickValue;
}

function decodeNumber(text: string, type: TrickType | undefined): number | bigint | boolean {
  if (type?.kind === 'boolean') return text !== '0';
  const isWide = type ? type.kind === 'bigint' : !Number.isSafeInteger(Number(text));
  if (isWide && INTEGER.test(text)) return BigInt(text);
  return NON_FINITE.get(text) ?? Number(text);
}
