// Copies the elements that two arrays of different extents have in common.
import type { Memory } from './memory.js';

/** An array of any number of dimensions. */
export interface Extended {
  readonly offsetBytes: number;
  /** The extents, outermost first; none for a single value. */
  readonly extents: readonly number[];
}

interface Dimension {
  readonly count: number;
  readonly fromStride: number;
  readonly toStride: number;
}

/** So few bytes are copied faster one by one. */
const FEW_BYTES = 64;

/**
 * Copies the elements whose indexes both arrays have. The arrays have as many dimensions as each other, and do not
 * overlap.
 */
export function copyShared(memory: Memory, from: Extended, to: Extended, elementBytes: number): void {
  const { dimensions, pieceBytes } = piecesOf(from.extents, to.extents, elementBytes);
  copyPieces(memory.bytes, from.offsetBytes, to.offsetBytes, dimensions, pieceBytes);
}

/** How large the pieces are that lie in one piece in both arrays, and how they are spread. */
function piecesOf(from: readonly number[], to: readonly number[], elementBytes: number) {
  const dimensions: Dimension[] = [];
  let [fromStride, toStride, pieceBytes] = [elementBytes, elementBytes, elementBytes];
  for (let index = from.length - 1; index >= 0; index--) {
    const [fromCount, toCount] = [from[index] as number, to[index] as number];
    const count = Math.min(fromCount, toCount);
    if (fromStride === pieceBytes && toStride === pieceBytes) pieceBytes *= count;
    else dimensions.push({ count, fromStride, toStride });
    fromStride *= fromCount;
    toStride *= toCount;
  }
  // The longest dimension is run through innermost.
  return { dimensions: dimensions.sort((one, other) => one.count - other.count), pieceBytes };
}

function copyPieces(
  bytes: Buffer,
  fromBytes: number,
  toBytes: number,
  [dimension, ...inner]: readonly Dimension[],
  pieceBytes: number,
): void {
  const { count, fromStride, toStride } = dimension ?? { count: 1, fromStride: 0, toStride: 0 };
  for (let index = 0; index < count; index++) {
    const [source, target] = [fromBytes + index * fromStride, toBytes + index * toStride];
    if (inner.length > 0) copyPieces(bytes, source, target, inner, pieceBytes);
    else if (pieceBytes > FEW_BYTES) bytes.copyWithin(target, source, source + pieceBytes);
    else for (let at = 0; at < pieceBytes; at++) bytes[target + at] = bytes[source + at] as number;
  }
}
