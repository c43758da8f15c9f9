// Long lists of numbers for a variable: their units, types and ranges are seen to piece by piece, with the sentences that
// short lists get.
import { AssignmentError, convertFor } from '../model/assign.js';
import type { Value } from '../model/read.js';
import { type ArrayType, isCharacters, type SequenceType, type Type } from '../model/type.js';
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

/** How many values lists hold, or any number above a bound. */
function countUpTo(json: JsonValue, most: number): number {
  if (!Array.isArray(json)) return 1;
  if (json.length > most) return json.length;
  let count = 0;
  for (const item of json as readonly JsonValue[]) {
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
  return inRange(place.type, convertFor(place, inOwnUnits(place, json, given)), given);
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

/** As `readyValue`, in slices where it is a list of numbers, or of such lists. */
export function* readyList(place: Place, json: JsonValue, given: Given, slice: Slice): Sliced<Value> {
  const { type } = place;
  if (!Array.isArray(json) || !isLong(json) || !holdsNumbers(type)) return readyValue(place, json, given);
  const room = type.kind === 'array' ? type.length : type.capacity;
  // The sentence on its length comes before anything is done with its elements.
  if (json.length > room) return convertFor(place, json as Value);
  const { element } = type;
  const values: Value[] = [];
  const step = element.kind === 'number' ? PIECE_VALUES : 1;
  for (let from = 0; from < json.length; from += step) {
    if (element.kind !== 'number') {
      const row = { ...place, path: `${place.path}[${from}]`, type: element };
      values.push(yield* readyList(row, json[from] as JsonValue, given, slice));
    } else for (const value of readyPiece(place, type, json, from, given)) values.push(value);
    if (slice.isOver(LONG_STEP)) yield;
  }
  requireZeros(place, type, json.length);
  return values;
}

/** An array or sequence of numbers, or an array of such, at any depth. */
function holdsNumbers(type: Type): type is ArrayType | SequenceType {
  if (type.kind === 'array')
    return !isCharacters(type) && (type.element.kind === 'number' || holdsNumbers(type.element));
  return type.kind === 'sequence' && type.element.kind === 'number';
}

function readyPiece(
  place: Place,
  type: ArrayType | SequenceType,
  json: readonly JsonValue[],
  from: number,
  given: Given,
): readonly Value[] {
  const piece = json.slice(from, from + PIECE_VALUES);
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
