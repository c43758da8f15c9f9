// Flushes the sockets at the end of a turn of the event loop, one after another, and yields after some of them. A
// client on this machine that is still awake from one message takes the next at less cost, and a request waits only for
// a slice.
// docs/performance.md has what it buys, and how to measure that again.

export interface Waiting {
  /** Must not throw. */
  flush(): void;
}

/** How many sockets are flushed at least before new input is read: about 0.2 ms of writes. */
const SLICE = 16;
/** Of many sockets a larger part is flushed at once, because each slice costs a turn of the event loop. */
const SLICES = 16;

/** Sockets of this turn. */
let waiting: Waiting[] = [];
/** Sockets of earlier turns; newer answers may go out before their updates. */
let left: Waiting[] = [];

/** Calls `flush` when the work of the current event, timer or promise is over. Call this once until then. */
export function atTurnEnd(one: Waiting): void {
  if (waiting.push(one) === 1) process.nextTick(endTurn);
}

function endTurn(): void {
  const all = waiting;
  waiting = [];
  leave(flushSlice(all));
}

function leave(others: readonly Waiting[]): void {
  if (others.length > 0 && left.push(...others) === others.length) setImmediate(goOn);
}

function goOn(): void {
  const all = left;
  left = [];
  leave(flushSlice(all));
}

/** Flushes the first sockets; returns the others. */
function flushSlice(all: readonly Waiting[]): readonly Waiting[] {
  const count = Math.min(all.length, Math.max(SLICE, Math.ceil(all.length / SLICES)));
  for (let index = 0; index < count; index++) all[index]?.flush();
  return all.slice(count);
}
