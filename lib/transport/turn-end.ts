// Sends what was written in a turn of the event loop at its end, one socket right after the other.
// Clients on this machine that are still awake from one message take the next at less cost to both sides.

export interface Waiting {
  /** Throws nothing. */
  flush(): void;
}

let waiting: Waiting[] = [];

/** Calls `flush` when what the present event, timer or promise has set off is over; ask once until then. */
export function atTurnEnd(one: Waiting): void {
  if (waiting.push(one) === 1) process.nextTick(flushAll);
}

function flushAll(): void {
  const all = waiting;
  waiting = [];
  for (const one of all) one.flush();
}
