// Values as a client gets them, and what is known of variables.

/** Numbers of an array, flattened, the last index running fastest. */
export type NumberArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** What JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * A variable's value: a number (a bigint beyond 2^53), a truth value, the numbers of an array, or, of what has no fixed
 * number of numbers, JSON as var/get answers it. Enumerations are numbers; null is a variable that cannot be reached.
 */
export type WatchedValue = number | bigint | NumberArray | Json;

/** Values of one frame. */
export interface Sample {
  /** Simulation time in seconds, by the simulation's clock. */
  readonly seconds: number;
  /** Number of the frame. */
  readonly frame: number;
  /** Messages that were lost before this one, because this client was too slow. */
  readonly dropped: number;
  /** Counts, modulo 65536, how often time was set to another: by loading a checkpoint, or a seek in a recording. */
  readonly jumps: number;
  /** In the order of the aliases that were asked for. */
  readonly values: readonly WatchedValue[];
}

/** A row of var/list. */
export interface ListedVariable {
  readonly alias: string;
  /** The C type of one element: double, std::string, a structure's name. */
  readonly type_path: string;
  /** UDUNITS text, `1` for none. */
  readonly unit: string;
  /** Extents, outermost first; [] for one value, 0 for an extent that is known at run time only. */
  readonly dim: readonly number[];
  readonly about: string;
  readonly access: 'read-write' | 'read-only' | 'write-only';
}

/** What var/describe answers. */
export interface VariableFacts extends ListedVariable {
  readonly kind: 'number' | 'bits' | 'enumeration' | 'text' | 'struct';
  /** An enumeration's labels and their numbers. */
  readonly labels?: Readonly<Record<string, number>>;
  /** Bytes that a text may have, or elements that a sequence may have. */
  readonly capacity?: number;
  /** Width of a bit field. */
  readonly bits?: number;
  /** A structure's members. */
  readonly members?: readonly ListedVariable[];
}

/** Whether a variable always has the same number of numbers, so that it can be sent packed. */
export const isPacked = ({ kind, dim }: VariableFacts): boolean =>
  (kind === 'number' || kind === 'bits' || kind === 'enumeration') && dim.every((extent) => extent > 0);

const WIDE = /^(unsigned )?long/;

/** The value of a JSON message, in the form that a packed message gives. */
export function valueOfJson(json: Json, facts: VariableFacts | undefined): WatchedValue {
  if (!facts || !isPacked(facts) || json === null) return json;
  const isWide = WIDE.test(facts.type_path);
  if (!Array.isArray(json)) return numberOf(json, isWide);
  const cells = json.flat(facts.dim.length) as Json[];
  const numbers = cells.map((cell) => numberOf(cell, isWide) ?? Number.NaN);
  if (!isWide) return Float64Array.from(numbers, Number);
  return BigInt64Array.from(numbers, (number) => (Number.isNaN(number) ? 0n : BigInt(number as number)));
}

/** JSON has NaN, infinities and large integers as text. */
function numberOf(json: Json, isWide: boolean): number | bigint | boolean | null {
  if (typeof json === 'string') return isWide ? BigInt(json) : Number(json);
  return typeof json === 'number' || typeof json === 'boolean' ? json : null;
}
