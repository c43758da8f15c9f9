/** Counts the turns of the event loop, for those who do something once in each. */

let current = 0;
let isCounted = false;

const next = (): void => {
  current++;
  isCounted = false;
};

/** The same number within what one event, timer or promise set off. */
export function currentTurn(): number {
  if (!isCounted) {
    isCounted = true;
    process.nextTick(next);
  }
  return current;
}
