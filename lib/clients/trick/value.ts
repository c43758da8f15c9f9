// The values a client reads and writes.

/** Integers of 64 bits are bigint, whatever their value; `char` is its number, text is a string. */
export type TrickValue =
  | number
  | bigint
  | boolean
  | string
  | readonly number[]
  | readonly bigint[]
  | readonly boolean[]
  | readonly string[];

/** Arrays of several dimensions are set as arrays of arrays, and read flat, row by row. */
export type SettableValue = number | bigint | boolean | string | readonly SettableValue[];

/** A value with the units that the server says it is in; undefined where it says none. */
export interface Measured<V extends TrickValue = TrickValue> {
  readonly value: V;
  readonly units: string | undefined;
}

/** What a program knows of the variables it uses: name to type. */
export type Variables = Record<string, TrickValue>;
