// Values of variables in JSON and back; numbers that JSON cannot write become text.
import { AssignmentError } from '../../model/state/assign.js';
import type { Value } from '../../model/state/read.js';
import { isCharacters, NUMBER_FACTS, type Type } from '../../model/state/type.js';

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };

/**
 * NaN and the infinities become "NaN", "Infinity" and "-Infinity". A 64-bit integer is a number if a double holds it
 * exactly, otherwise decimal text. A value that cannot be reached (a null pointer on the way) is null.
 */
export function toJson(value: Value | undefined): JsonValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return isSafe(value) ? Number(value) : String(value);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(toJson);
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, toJson(item)]));
}

const isSafe = (value: bigint): boolean =>
  value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);

const NON_FINITE: ReadonlySet<unknown> = new Set(['NaN', 'Infinity', '-Infinity']);

/** Said of a number that JavaScript can only read as infinite, such as 1e400. */
export const BEYOND_DOUBLES = 'a number is larger than a double can be; infinity is written "Infinity" or "-Infinity"';

export const isBeyondDoubles = (json: unknown): boolean => typeof json === 'number' && !Number.isFinite(json);

/**
 * The value for a variable of this type, or of any, from a client's JSON; the texts that `toJson` writes become numbers again.
 * Throws an AssignmentError for a number that JavaScript can only read as infinite, such as 1e400.
 */
export function fromJson(type: Type | undefined, json: JsonValue): Value {
  if (typeof json === 'string') return textOrNumber(type, json);
  if (isBeyondDoubles(json)) throw new AssignmentError(BEYOND_DOUBLES);
  if (json === null || typeof json !== 'object') return json;
  if (Array.isArray(json)) {
    return json.map((item: JsonValue, index) => (isPlain(item) ? item : fromJson(itemType(type, index), item)));
  }
  return Object.fromEntries(
    Object.entries(json).map(([name, item]) => [name, fromJson(memberType(type, name), item as JsonValue)]),
  );
}

/** Whether a value is a number as it will be: of most lists all are. */
const isPlain = (json: JsonValue): json is number => typeof json === 'number' && Number.isFinite(json);

function textOrNumber(type: Type | undefined, json: string): Value {
  if (type?.kind !== 'number' || isCharacters(type)) return json;
  const { family } = NUMBER_FACTS[type.name];
  if (family === 'floating' && NON_FINITE.has(json)) return Number(json);
  return family === 'big integer' && /^-?\d{1,20}$/.test(json) ? BigInt(json) : json;
}

/** The type of an element, or of a half of a pair that is given as a list. */
function itemType<T extends Type | undefined>(type: T, index: number): Type | T {
  if (type?.kind === 'struct' && type.isPair) return type.members[index]?.type ?? type;
  return type?.kind === 'array' || type?.kind === 'sequence' ? type.element : type;
}

/** An unknown member keeps its JSON value here; storing it is refused later, with a sentence. */
const memberType = <T extends Type | undefined>(type: T, name: string): Type | T =>
  (type?.kind === 'struct' && type.members.find((member) => member.name === name)?.type) || type;
