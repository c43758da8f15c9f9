// Long values for a variable: their units, types and ranges are seen to piece by piece, with the sentences that short
// values get.
import { AssignmentError, convertFor } from '../../model/state/assign.js';
import { fitPlain } from '../../model/state/fit-value.js';
import { PackedList } from '../../model/state/packed-numbers.js';
import type { Value } from '../../model/state/read.js';
import {
  type ArrayType,
  findMember,
  isCharacters,
  type SequenceType,
  type StructType,
  type Type,
} from '../../model/state/type.js';
import type { Variable } from '../../model/state/variable.js';
import { toOwnUnits } from '../../serving/session/own-units.js';
import { fromJson, type JsonValue } from './json-value.js';

/** Making so many values ready takes a tenth of a millisecond or two. */
const PIECE_VALUES = 1024;
/** How many rows, of up to so many values, are made ready between two turns. */
const ROWS_AT_ONCE = 16;

/** Where a value goes. */
type WrittenVariable = Pick<Variable, 'path' | 'type' | 'access' | 'units'>;

/** Whether a value is so long that it is made ready in turns. */
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

/** The value as the simulation stores it. */
export function readyValue(place: WrittenVariable, json: JsonValue, units: string | undefined): Value {
  return convertFor(place, inOwnUnits(place, json, units));
}

function inOwnUnits(place: WrittenVariable, json: JsonValue, units: string | undefined): Value {
  const value = fromJson(place.type, json);
  return units === undefined ? value : toOwnUnits(place, value, units);
}

/** As `readyValue`, with turns of the client where it is long. */
export async function readyList(
  place: WrittenVariable,
  json: JsonValue,
  units: string | undefined,
  turn: () => Promise<void>,
): Promise<Value> {
  const { type } = place;
  if (!isLong(json)) return readyValue(place, json, units);
  if (type.kind === 'struct' && !type.isPair && isObject(json))
    return await readyMembers(place, type, json, units, turn);
  if (!isListType(type) || !Array.isArray(json)) return readyValue(place, json, units);
  const isRoom = type.kind === 'array' ? json.length === type.length : json.length <= type.capacity;
  // The sentence on its length comes before anything is done with its elements.
  if (!isRoom) return convertFor(place, json as Value);
  return hasParts(type.element)
    ? await readyRows(place, type, json, units, turn)
    : await readyPieces(place, type, json, units, turn);
}

const isObject = (json: JsonValue): json is Readonly<Record<string, JsonValue>> =>
  json !== null && typeof json === 'object' && !Array.isArray(json);

/** Entries of a map are made ready together, because each needs all its parts. */
const isListType = (type: Type): type is ArrayType | SequenceType =>
  type.kind === 'array' ? !isCharacters(type) : type.kind === 'sequence' && type.container !== 'map';

const hasParts = (element: Type): boolean => element.kind === 'struct' || isListType(element);

async function readyPieces(
  place: WrittenVariable,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  units: string | undefined,
  turn: () => Promise<void>,
): Promise<Value> {
  const list = PackedList.for(type, json.length) ?? new PlainList();
  for (let from = 0; from < json.length; from += PIECE_VALUES) {
    await turn();
    list.add(readyPiece(place, type, json, from, units));
  }
  return list.value;
}

class PlainList {
  readonly value: Value[] = [];

  add(values: readonly Value[]): void {
    for (const value of values) this.value.push(value);
  }
}

async function readyRows(
  place: WrittenVariable,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  units: string | undefined,
  turn: () => Promise<void>,
): Promise<Value> {
  const { element } = type;
  if (element.kind === 'struct') requireNoUnits(place, units);
  const rows = PackedList.for(type, json.length) ?? new PlainList();
  for (const [index, row] of json.entries()) {
    if (index % ROWS_AT_ONCE === 0) await turn();
    const ofRow = { ...place, path: `${place.path}[${index}]`, type: element };
    rows.add([isLong(row) ? await readyList(ofRow, row, units, turn) : readyValue(ofRow, row, units)]);
  }
  return rows.value;
}

async function readyMembers(
  place: WrittenVariable,
  type: StructType,
  json: Readonly<Record<string, JsonValue>>,
  units: string | undefined,
  turn: () => Promise<void>,
): Promise<Value> {
  requireNoUnits(place, units);
  const members: (readonly [name: string, value: Value])[] = [];
  for (const [name, item] of Object.entries(json)) {
    const member = findMember(type, name);
    // The sentence on a name comes before anything is done with its value.
    if (!member || member.access === 'read-only' || place.access === 'read-only')
      return convertFor(place, { [name]: [] });
    const own = { path: `${place.path}.${name}`, type: member.type, access: member.access, units: member.units };
    await turn();
    members.push([name, await readyList(own, item, undefined, turn)]);
  }
  return Object.fromEntries(members);
}

/** Throws for a structure that is given units. */
function requireNoUnits(place: WrittenVariable, units: string | undefined): void {
  if (units !== undefined) toOwnUnits(place, {}, units);
}

function readyPiece(
  place: WrittenVariable,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  from: number,
  units: string | undefined,
): readonly Value[] {
  const piece = json.slice(from, from + PIECE_VALUES);
  const isPlain = units === undefined && place.access !== 'read-only';
  const plain = isPlain ? fitPlain(type.element, piece) : undefined;
  if (plain) return plain;
  const ofPiece = { ...place, type: type.kind === 'array' ? { ...type, length: piece.length } : type };
  const own = inOwnUnits(ofPiece, piece, units) as Value[];
  try {
    return convertFor(ofPiece, own) as Value[];
  } catch (error) {
    if (!(error instanceof AssignmentError) || error.isReadOnly) throw error;
    // The sentence names the element by its place in the whole list.
    for (const [at, item] of own.entries())
      convertFor({ ...place, path: `${place.path}[${from + at}]`, type: type.element }, item);
    throw error;
  }
}
