// A server in which nobody has a turn to send in for a while, as beside many clients who have used less.
import type { Turns } from '../../serving/scheduling/turns.js';

/** Lets what is due wait until the returned function is called. */
export function withoutTurns(turns: Turns): () => void {
  const { dueSteps } = turns;
  const waiting: (() => void)[] = [];
  turns.dueSteps = (account, step) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void (dueSteps.call(turns, account, step) ?? Promise.resolve()).then(resolve, reject));
    });
  return () => {
    turns.dueSteps = dueSteps;
    for (const begin of waiting) begin();
  };
}
