// Copies the elements that two arrays of different extents have in common.
import type { Memory } from './memory.js';
import { STEP_BYTES } from './pieces.js';

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

/** What is copied, and how many bytes in one step. */
interface Copied {
  readonly memory: Memory;
  readonly elementBytes: number;
  readonly stepBytes?: number;
}

/**
 * Copies, in steps, the elements whose indexes both arrays have. The arrays have as many dimensions as each other, and
 * do not overlap.
 */
export function* copyShared(
  from: Extended,
  to: Extended,
  { memory, elementBytes, stepBytes = STEP_BYTES }: Copied,
): Generator<void, void> {
  const { dimensions, pieceBytes } = piecesOf(from.extents, to.extents, elementBytes);
  const [fromBytes, toBytes] = [from.offsetBytes, to.offsetBytes];
  // A piece of many steps is so many pieces of one step, and the rest.
  const steps = Math.floor(pieceBytes / stepBytes);
  const doneBytes = steps > 0 ? steps * stepBytes : 0;
  const inSteps = { count: steps, fromStride: stepBytes, toStride: stepBytes };
  if (steps > 0) yield* copyPieces(memory, { fromBytes, toBytes }, [...dimensions, inSteps], stepBytes, stepBytes);
  if (doneBytes === pieceBytes) return;
  if (steps > 0) yield;
  const rest = { fromBytes: fromBytes + doneBytes, toBytes: toBytes + doneBytes };
  yield* copyPieces(memory, rest, dimensions, pieceBytes - doneBytes, stepBytes);
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

/** Where something is copied from, and to. */
interface CopyOffsets {
  readonly fromBytes: number;
  readonly toBytes: number;
}

const ONCE: Dimension = { count: 1, fromStride: 0, toStride: 0 };

/** Copies pieces, none of which is more than a step. */
function* copyPieces(
  memory: Memory,
  first: CopyOffsets,
  dimensions: readonly Dimension[],
  pieceBytes: number,
  stepBytes: number,
): Generator<void, void> {
  const row = dimensions.at(-1) ?? ONCE;
  let leftBytes = stepBytes;
  for (const { fromBytes, toBytes } of placesOf(first, dimensions.slice(0, -1)))
    for (let index = 0; index < row.count; ) {
      if (leftBytes < pieceBytes) {
        yield;
        leftBytes = stepBytes;
      }
      const count = Math.min(row.count - index, Math.floor(leftBytes / pieceBytes));
      const place = { fromBytes: fromBytes + index * row.fromStride, toBytes: toBytes + index * row.toStride };
      copyRow(memory.bytes, place, { ...row, count }, pieceBytes);
      leftBytes -= count * pieceBytes;
      index += count;
    }
}

/** The places that dimensions lead to. */
function* placesOf(place: CopyOffsets, [dimension, ...inner]: readonly Dimension[]): Generator<CopyOffsets, void> {
  if (!dimension) {
    yield place;
    return;
  }
  const { count, fromStride, toStride } = dimension;
  for (let index = 0; index < count; index++)
    yield* placesOf(
      { fromBytes: place.fromBytes + index * fromStride, toBytes: place.toBytes + index * toStride },
      inner,
    );
}

function copyRow(
  bytes: Buffer,
  place: CopyOffsets,
  { count, fromStride, toStride }: Dimension,
  pieceBytes: number,
): void {
  for (let index = 0; index < count; index++) {
    const [source, target] = [place.fromBytes + index * fromStride, place.toBytes + index * toStride];
    if (pieceBytes > FEW_BYTES) bytes.copyWithin(target, source, source + pieceBytes);
    else for (let at = 0; at < pieceBytes; at++) bytes[target + at] = bytes[source + at] as number;
  }
}
