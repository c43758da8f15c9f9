// An HDF5 file in the form in which Trick writes recordings. Trick: DRHDF5

/** Values and units of each variable. */
export type Given = Readonly<
  Record<string, readonly [Float64Array | Float32Array | BigInt64Array | Uint8Array | string[], string]>
>;

const TEXT_BYTES = 256;
const CHUNK_ROWS = 1024;
let made = 0;

/** @param rows that each dataset announces, if not as many as there are values. */
export async function hdf5File(given: Given, rows?: number): Promise<Uint8Array> {
  const { File, ready } = await import('h5wasm');
  const { FS } = (await ready) as unknown as { FS: { readFile(path: string): Uint8Array; unlink(path: string): void } };
  const name = `/made${++made}`;
  const file = new File(name, 'w');
  for (const [variable, [data, _]] of Object.entries(given)) {
    const options = { chunks: [CHUNK_ROWS], compression: 'gzip', compression_opts: [1], maxshape: [null] } as const;
    const dataset = file.create_dataset({
      name: variable,
      data,
      ...(!Array.isArray(data) && { ...options, chunks: [...options.chunks], compression_opts: [1], maxshape: [null] }),
    });
    if (rows !== undefined) dataset.resize([rows]);
  }
  const header = file.create_group('header');
  const lists = { param_names: Object.keys(given), param_units: Object.values(given).map(([, units]) => units) };
  for (const [list, texts] of Object.entries(lists)) {
    // Behind its end a text has whatever was in Trick's memory.
    const data = texts.map((text) => `${text}\0leftovers`.padEnd(TEXT_BYTES, 'x'));
    header.create_dataset({ name: list, data, dtype: `S${TEXT_BYTES}` });
  }
  file.close();
  const bytes = FS.readFile(name);
  FS.unlink(name);
  return bytes;
}
