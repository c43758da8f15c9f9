// Ranges of an X-Y plot whose axes are equal: a metre is as long to the right as upward, so that a circle is round.

export interface Extent {
  readonly min: number;
  readonly max: number;
}

/** Grows the range that is too short for its side of the plot, around its middle. */
export function equalRanges(x: Extent, y: Extent, widthPixels: number, heightPixels: number): { x: Extent; y: Extent } {
  if (widthPixels <= 0 || heightPixels <= 0) return { x, y };
  const perPixel = Math.max((x.max - x.min) / widthPixels, (y.max - y.min) / heightPixels);
  return { x: grown(x, perPixel * widthPixels), y: grown(y, perPixel * heightPixels) };
}

function grown({ min, max }: Extent, length: number): Extent {
  const middle = (min + max) / 2;
  return { min: middle - length / 2, max: middle + length / 2 };
}

/** The range of values, with some room; undefined values do not count. */
export function extentOf(values: ArrayLike<number | null>): Extent {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < values.length; index++) {
    const value = values[index];
    if (value === null || value === undefined || !Number.isFinite(value)) continue;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  if (min > max) return { min: -1, max: 1 };
  const room = max > min ? (max - min) * 0.08 : Math.max(Math.abs(max) * 0.1, 0.5);
  return { min: min - room, max: max + room };
}
