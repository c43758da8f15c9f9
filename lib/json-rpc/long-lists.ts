// Long values for a variable: their units, types and ranges are seen to piece by piece, with the sentences that short
// values get.
import { AssignmentError, convertFor } from '../model/assign.js';
import { fitPlain } from '../model/fit-value.js';
import { PackedList, packed } from '../model/packed-numbers.js';
import type { Value } from '../model/read.js';
import {
  type ArrayType,
  findMember,
  isCharacters,
  type SequenceType,
  type StructType,
  type Type,
} from '../model/type.js';
import type { Variable } from '../model/variable.js';
import { whyNotZero } from '../model/zero.js';
import { LONG_STEP, type Slice, type Sliced } from '../scheduling/turns.js';
import { toOwnUnits } from '../session/own-units.js';
import { fromJson, type JsonValue, outOfRange } from './json-value.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** Making so many values ready takes a tenth of a millisecond or two. */
const PIECE_VALUES = 1024;

/** Where a value goes. */
type Place = Pick<Variable, 'path' | 'type' | 'access' | 'units'>;

/** How a client gave values. */
interface Given {
  /** The path as the client wrote it. */
  readonly path: string;
  readonly units: string | undefined;
}

/** Whether a value is so long that it is made ready in slices. */
export const isLong = (json: JsonValue): boolean => countUpTo(json, PIECE_VALUES) > PIECE_VALUES;

/** How many values lists and objects hold, or any number above a bound. */
function countUpTo(json: JsonValue, most: number): number {
  if (json === null || typeof json !== 'object') return 1;
  if (Array.isArray(json) && json.length > most) return json.length;
  let count = 0;
  for (const item of Array.isArray(json) ? (json as readonly JsonValue[]) : Object.values(json)) {
    count += countUpTo(item, most - count);
    if (count > most) break;
  }
  return count;
}

/**
 * The value as the simulation stores it. An integer that does not fit is refused here, because the simulation would
 * convert it as C does.
 */
export function readyValue(place: Place, json: JsonValue, given: Given): Value {
  return packed(place.type, inRange(place.type, convertFor(place, inOwnUnits(place, json, given)), given));
}

function inOwnUnits(place: Place, json: JsonValue, { units }: Given): Value {
  const value = fromJson(place.type, json);
  return units === undefined ? value : toOwnUnits(place, value, units);
}

function inRange(type: Type, ready: Value, { path }: Given): Value {
  const wrong = outOfRange(type, ready);
  if (wrong) throw new RpcError(RpcCode.valueRefused, `${path} cannot hold this: ${wrong}`);
  return ready;
}

/** As `readyValue`, in slices where it is long. */
export function* readyList(place: Place, json: JsonValue, given: Given, slice: Slice): Sliced<Value> {
  const { type } = place;
  if (!isLong(json)) return readyValue(place, json, given);
  if (type.kind === 'struct' && !type.isPair && isObject(json))
    return yield* readyMembers(place, type, json, given, slice);
  if (!isListType(type) || !Array.isArray(json)) return readyValue(place, json, given);
  const room = type.kind === 'array' ? type.length : type.capacity;
  // The sentence on its length comes before anything is done with its elements.
  if (json.length > room) return convertFor(place, json as Value);
  const value = hasParts(type.element)
    ? yield* readyRows(place, type, json, given, slice)
    : yield* readyPieces(place, type, json, given, slice);
  requireZeros(place, type, json.length);
  return value;
}

const isObject = (json: JsonValue): json is Readonly<Record<string, JsonValue>> =>
  json !== null && typeof json === 'object' && !Array.isArray(json);

/** Entries of a map are made ready together, because each needs all its parts. */
const isListType = (type: Type): type is ArrayType | SequenceType =>
  type.kind === 'array' ? !isCharacters(type) : type.kind === 'sequence' && type.container !== 'map';

const hasParts = (element: Type): boolean => element.kind === 'struct' || isListType(element);

function* readyPieces(
  place: Place,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  given: Given,
  slice: Slice,
): Sliced<Value> {
  const list = PackedList.for(type, json.length) ?? new PlainList();
  for (let from = 0; from < json.length; from += PIECE_VALUES) {
    list.add(readyPiece(place, type, json, from, given));
    if (slice.isOver(LONG_STEP)) yield;
  }
  return list.value;
}

class PlainList {
  readonly value: Value[] = [];

  add(values: readonly Value[]): void {
    for (const value of values) this.value.push(value);
  }
}

function* readyRows(
  place: Place,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  given: Given,
  slice: Slice,
): Sliced<Value> {
  const { element } = type;
  if (element.kind === 'struct') requireNoUnits(place, given);
  const rows = PackedList.for(type, json.length) ?? new PlainList();
  for (const [index, row] of json.entries()) {
    const ofRow = { ...place, path: `${place.path}[${index}]`, type: element };
    rows.add([yield* readyList(ofRow, row, given, slice)]);
    if (slice.isOver(LONG_STEP)) yield;
  }
  return rows.value;
}

function* readyMembers(
  place: Place,
  type: StructType,
  json: Readonly<Record<string, JsonValue>>,
  given: Given,
  slice: Slice,
): Sliced<Value> {
  requireNoUnits(place, given);
  const members: (readonly [name: string, value: Value])[] = [];
  for (const [name, item] of Object.entries(json)) {
    const member = findMember(type, name);
    // The sentence on a name comes before anything is done with its value.
    if (!member || member.access === 'read-only' || place.access === 'read-only')
      return convertFor(place, { [name]: [] });
    const own = { path: `${place.path}.${name}`, type: member.type, access: member.access, units: member.units };
    members.push([name, yield* readyList(own, item, { path: given.path, units: undefined }, slice)]);
    if (slice.isOver(LONG_STEP)) yield;
  }
  return Object.fromEntries(members);
}

/** Throws for a structure that is given units. */
function requireNoUnits(place: Place, { units }: Given): void {
  if (units !== undefined) toOwnUnits(place, {}, units);
}

function readyPiece(
  place: Place,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  from: number,
  given: Given,
): readonly Value[] {
  const piece = json.slice(from, from + PIECE_VALUES);
  const isPlain = given.units === undefined && place.access !== 'read-only';
  const plain = isPlain ? fitPlain(type.element, piece) : undefined;
  if (plain) return plain;
  const ofPiece = { ...place, type: type.kind === 'array' ? { ...type, length: piece.length } : type };
  const own = inOwnUnits(ofPiece, piece, given) as Value[];
  try {
    return inRange(ofPiece.type, convertFor(ofPiece, own), given) as Value[];
  } catch (error) {
    if (!(error instanceof AssignmentError) || error.isReadOnly) throw error;
    // The sentence names the element by its place in the whole list.
    for (const [at, item] of own.entries())
      convertFor({ ...place, path: `${place.path}[${from + at}]`, type: type.element }, item);
    throw error;
  }
}

/** A shorter list sets the other elements of an array to zero. */
function requireZeros({ path }: Place, type: ArrayType | SequenceType, given: number): void {
  if (type.kind !== 'array' || given === type.length) return;
  const problem = whyNotZero(type.element, () => `${path}[${given}]`);
  if (problem !== undefined) throw new AssignmentError(problem);
}
