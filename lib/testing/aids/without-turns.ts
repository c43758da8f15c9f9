// A server in which nobody has a turn to send in for a while, as beside many clients who have used less.
import type { Turns } from '../../scheduling/turns.js';

/** Lets what is due wait until the returned function is called. */
export function withoutTurns(sending: Turns): () => void {
  const { dueSteps } = sending;
  const waiting: (() => void)[] = [];
  sending.dueSteps = (account, step) =>
    new Promise((resolve, reject) => {
      waiting.push(() => void (dueSteps.call(sending, account, step) ?? Promise.resolve()).then(resolve, reject));
    });
  return () => {
    sending.dueSteps = dueSteps;
    for (const begin of waiting) begin();
  };
}
