// Writes .trk files of any version and byte order, from Trick's description of them.

export interface TrkColumn {
  readonly name: string;
  readonly units?: string;
  /** Trick's code of the type, as in files of version 10. */
  readonly code: number;
  readonly sizeBytes: number;
  readonly values: readonly (number | bigint)[];
}

export const doubles = (name: string, values: readonly number[], units = '--'): TrkColumn => ({
  name,
  units,
  code: 11,
  sizeBytes: 8,
  values,
});

/** The code of a type before version 10. */
const olderCode = (code: number): number => (code === 21 ? 102 : code <= 15 ? code - 1 : code);

export function trkFile(columns: readonly TrkColumn[], version = '10', order: 'L' | 'B' = 'L'): Buffer {
  const isLittle = order === 'L';
  const int = (value: number): Buffer => cell({ code: 6, sizeBytes: 4 }, value, isLittle);
  const text = (value: string): Buffer => Buffer.concat([int(Buffer.byteLength(value)), Buffer.from(value)]);
  const head = columns.flatMap(({ name, units = '--', code, sizeBytes }) => [
    text(name),
    text(units),
    int(version === '10' ? code : olderCode(code)),
    int(sizeBytes),
  ]);
  const rows = (columns[0]?.values ?? []).flatMap((_, row) =>
    columns.map((column) => cell(column, column.values[row] ?? 0, isLittle)),
  );
  return Buffer.concat([Buffer.from(`Trick-${version}-${order}`), int(columns.length), ...head, ...rows]);
}

function cell({ code, sizeBytes }: Pick<TrkColumn, 'code' | 'sizeBytes'>, value: number | bigint, isLittle: boolean) {
  const bytes = Buffer.alloc(sizeBytes);
  if (code === 10) bytes.writeFloatLE(Number(value));
  else if (code === 11) bytes.writeDoubleLE(Number(value));
  else if (sizeBytes === 8) bytes.writeBigUInt64LE(BigInt.asUintN(64, BigInt(value)));
  else bytes.writeUIntLE(Number(BigInt.asUintN(8 * sizeBytes, BigInt(value))), 0, sizeBytes);
  return isLittle ? bytes : bytes.reverse();
}
