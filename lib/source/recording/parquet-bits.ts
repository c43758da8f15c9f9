// How Parquet packs small integers and bytes of numbers. Parquet: Encodings.md
// By hand: the library goes on for as many values as a damaged page announces.

/** With this width a dictionary has more values than a page. */
const WIDEST = 24;

/** Numbers of a width that stand in runs of one value, or packed. Throws an Error for bytes that are too few. */
export function hybridIn(bytes: Uint8Array, start: number, width: number, count: number): Int32Array {
  if (width > WIDEST) throw new Error(`its numbers have ${width} bits`);
  const found = new Int32Array(count);
  let [at, done] = [start, 0];
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined) throw new Error('it has fewer values than it announces');
    return byte;
  };
  while (done < count) {
    const head = varint(next);
    const length = Math.floor(head / 2);
    if (head % 2 === 0) {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value |= next() << shift;
      found.fill(value, done, Math.min(count, done + length));
      done += length;
      continue;
    }
    const end = at + length * width;
    let [bits, have] = [0, 0];
    for (const last = Math.min(count, done + 8 * length); done < last; done++) {
      for (; have < width; have += 8) bits |= next() << have;
      found[done] = bits & (2 ** width - 1);
      bits >>>= width;
      have -= width;
    }
    at = end;
  }
  return found;
}

function varint(next: () => number): number {
  let value = 0;
  for (let scale = 1; scale < 2 ** 42; scale *= 128) {
    const byte = next();
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
  }
  throw new Error('a number in it does not end');
}

/** Numbers whose first bytes stand together, then their second ones, and so on. */
export function joinedBytes(bytes: Uint8Array, count: number, width: number): Uint8Array {
  const joined = new Uint8Array(count * width);
  for (let byte = 0; byte < width; byte++)
    for (let index = 0; index < count; index++) joined[index * width + byte] = bytes[byte * count + index] as number;
  return joined;
}
