// What a turn of the event loop writes leaves at its end, socket after socket, and gives way after some of them: clients
// of this machine that are still awake from one message take the next at less cost, and a question waits for a slice.
// docs/performance.md has what it buys, and how to measure that again.

export interface Waiting {
  /** Throws nothing. */
  flush(): void;
}

/** Sockets that are written to before what has come in meanwhile is looked at: 0.2 ms of writes. */
const SLICE = 16;

/** Of this turn. */
let waiting: Waiting[] = [];
/** Of earlier turns, whose updates let newer answers pass. */
let left: Waiting[] = [];

/** Calls `flush` when what the present event, timer or promise has set off is over; ask once until then. */
export function atTurnEnd(one: Waiting): void {
  if (waiting.push(one) === 1) process.nextTick(endTurn);
}

function endTurn(): void {
  const all = waiting;
  waiting = [];
  flushSlice(all);
  if (all.length > SLICE) leave(all.slice(SLICE));
}

function leave(others: readonly Waiting[]): void {
  if (left.push(...others) === others.length) setImmediate(goOn);
}

function goOn(): void {
  const all = left;
  left = [];
  flushSlice(all);
  if (all.length > SLICE) leave(all.slice(SLICE));
}

function flushSlice(all: readonly Waiting[]): void {
  const count = Math.min(all.length, SLICE);
  for (let index = 0; index < count; index++) all[index]?.flush();
}
