// Long lists are gone through in ranges: others have their turns in between.

/** Items of a range: some microseconds are spent with each. */
export const RANGE = 32;
/** Names or variables of a range: looking at so many takes less than a millisecond. */
export const LOOK_RANGE = 128;

export function* inRanges<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += LOOK_RANGE) yield all.slice(start, start + LOOK_RANGE);
}

/** Calls `act` for each item, with a turn before each further range. */
export async function eachInTurns<T>(
  turn: () => Promise<void>,
  items: Iterable<T>,
  act: (item: T) => void,
  range = RANGE,
): Promise<void> {
  let count = 0;
  for (const item of items) {
    if (count > 0 && count % range === 0) await turn();
    count++;
    act(item);
  }
}
