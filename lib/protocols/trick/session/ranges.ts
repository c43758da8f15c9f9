// Many names or variables in ranges, between which others have their turn.

/** Looking at so many takes less than a millisecond. */
export const RANGE = 128;

export function* inRanges<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += RANGE) yield all.slice(start, start + RANGE);
}
