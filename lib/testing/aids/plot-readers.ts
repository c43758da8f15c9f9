// Reads recordings by the rules of Trick's plot programs, which know nothing of how they were written.

/** A column as the programs list it. */
export interface PlotColumn {
  readonly name: string;
  readonly units: string;
}

export interface PlotData {
  readonly columns: readonly PlotColumn[];
  readonly rows: readonly (readonly number[])[];
}

/** A .header file: words between blanks; of the second word on: type, units, name. The first line is about the file. */
export function readHeader(text: string): PlotColumn[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('ASCII'))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, type]) => type !== 'byte_order')
    .map(([, , units = '', name = '']) => ({ units, name }));
}

/** A .csv file: a name and units in braces between commas, then numbers. */
export function readCsv(text: string): PlotData {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const columns = head
    .replace(/[{}]/g, '')
    .split(',')
    .map((token) => token.split(/\s+/))
    .map(([name = '', units = '']) => ({ name, units }));
  return { columns, rows: lines.map((line) => line.split(',').map(Number)) };
}

/** How each type code of a .trk file is read. */
const READ: Readonly<Record<number, (bytes: Buffer, at: number) => number>> = {
  4: (bytes, at) => bytes.readInt16LE(at),
  5: (bytes, at) => bytes.readInt16LE(at),
  6: (bytes, at) => bytes.readInt32LE(at),
  7: (bytes, at) => bytes.readInt32LE(at),
  8: (bytes, at) => Number(bytes.readBigInt64LE(at)),
  9: (bytes, at) => Number(bytes.readBigInt64LE(at)),
  10: (bytes, at) => bytes.readFloatLE(at),
  11: (bytes, at) => bytes.readDoubleLE(at),
  14: (bytes, at) => Number(bytes.readBigInt64LE(at)),
  15: (bytes, at) => Number(bytes.readBigInt64LE(at)),
};

/** A .trk file: ten characters, the number of columns, the columns, then packed values. */
export function readTrk(bytes: Buffer): PlotData {
  if (!bytes.toString('latin1', 0, 10).endsWith('-L')) throw new Error('the file is not in little-endian order');
  let at = 10;
  const int = (): number => {
    at += 4;
    return bytes.readInt32LE(at - 4);
  };
  const text = (): string => {
    const length = int();
    at += length;
    return bytes.toString('latin1', at - length, at);
  };
  const layout = Array.from({ length: int() }, () => ({ name: text(), units: text(), type: int(), sizeBytes: int() }));
  const rowBytes = layout.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if ((bytes.length - at) % rowBytes !== 0) throw new Error('the file ends within a row');
  const rows: number[][] = [];
  while (at < bytes.length) {
    rows.push(
      layout.map(({ type, sizeBytes }) => {
        at += sizeBytes;
        return READ[type]?.(bytes, at - sizeBytes) ?? Number.NaN;
      }),
    );
  }
  return { columns: layout.map(({ name, units }) => ({ name, units })), rows };
}
