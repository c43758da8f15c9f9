// Trick's type codes and what their bytes hold. Trick: parameter_types.h, TRICK_TYPE

/** `text` has bytes, `wideText` 32-bit characters; a client cannot read an `opaque` value. */
export type ValueKind =
  | 'character'
  | 'integer'
  | 'bigint'
  | 'floating'
  | 'boolean'
  | 'enumeration'
  | 'text'
  | 'wideText'
  | 'opaque';

/** How one element lies in memory, in the words of binary-parser. */
export type ElementFormat =
  | 'int8'
  | 'uint8'
  | 'int16'
  | 'uint16'
  | 'int32'
  | 'uint32'
  | 'int64'
  | 'uint64'
  | 'float'
  | 'double';

/** The type of a variable. */
export interface TrickType {
  readonly code: number;
  /** As C spells it. */
  readonly name: string;
  readonly kind: ValueKind;
  readonly format?: ElementFormat;
  /** Little-endian in byte-swapped messages too. */
  readonly isNeverSwapped?: true;
}

export const TRICK_NONE = 25;

const TYPES: readonly TrickType[] = [
  { code: 1, name: 'char', kind: 'character', format: 'int8' },
  { code: 2, name: 'unsigned char', kind: 'integer', format: 'uint8' },
  { code: 3, name: 'string', kind: 'text' },
  { code: 4, name: 'short', kind: 'integer', format: 'int16' },
  { code: 5, name: 'unsigned short', kind: 'integer', format: 'uint16' },
  { code: 6, name: 'int', kind: 'integer', format: 'int32' },
  { code: 7, name: 'unsigned int', kind: 'integer', format: 'uint32' },
  { code: 8, name: 'long', kind: 'bigint', format: 'int64' },
  { code: 9, name: 'unsigned long', kind: 'bigint', format: 'uint64' },
  { code: 10, name: 'float', kind: 'floating', format: 'float' },
  { code: 11, name: 'double', kind: 'floating', format: 'double' },
  { code: 12, name: 'bit field', kind: 'integer', format: 'int32', isNeverSwapped: true },
  { code: 13, name: 'unsigned bit field', kind: 'integer', format: 'uint32', isNeverSwapped: true },
  { code: 14, name: 'long long', kind: 'bigint', format: 'int64' },
  { code: 15, name: 'unsigned long long', kind: 'bigint', format: 'uint64' },
  { code: 17, name: 'bool', kind: 'boolean', format: 'uint8' },
  { code: 18, name: 'wchar_t', kind: 'wideText', format: 'uint32' },
  { code: 19, name: 'wstring', kind: 'wideText', format: 'uint32' },
  { code: 20, name: 'void *', kind: 'bigint', format: 'uint64' },
  { code: 21, name: 'enumeration', kind: 'enumeration', format: 'int32' },
  { code: 22, name: 'struct', kind: 'opaque' },
  { code: 24, name: 'STL container', kind: 'opaque' },
  { code: TRICK_NONE, name: 'none', kind: 'opaque' },
];

const BY_CODE: ReadonlyMap<number, TrickType> = new Map(TYPES.map((type) => [type.code, type]));

export const typeOfCode = (code: number): TrickType =>
  BY_CODE.get(code) ?? { code, name: `type ${code}`, kind: 'opaque' };

export interface IntegerRange {
  readonly least: number | bigint;
  readonly most: number | bigint;
}

const INTEGER = /^(u?)int(\d+)$/;

const RANGED: ReadonlySet<ValueKind> = new Set(['character', 'integer', 'bigint', 'enumeration']);

/** The numbers that an integer can hold; undefined for other types and for bit fields, whose width no message tells. */
export function integerRange({ kind, format, name }: TrickType): IntegerRange | undefined {
  const [, unsigned, bits] = INTEGER.exec(format ?? '') ?? [];
  if (bits === undefined || !RANGED.has(kind) || name.includes('bit field')) return undefined;
  const power = 2n ** BigInt(bits);
  return unsigned ? { least: 0n, most: power - 1n } : { least: -power / 2n, most: power / 2n - 1n };
}
