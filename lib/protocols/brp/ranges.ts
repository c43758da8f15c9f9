// Long lists are gone through in ranges: others have their turns in between.

/** Items of a range: some microseconds are spent with each. */
export const RANGE = 32;

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
