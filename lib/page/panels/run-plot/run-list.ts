// The runs of the server, as all plots of runs know them.
import { polledSignal } from '../../data/polled-signal.js';
import type { Run } from './curves.js';

const POLL_MILLIS = 5000;
/** More cannot be told apart; a plot of others names them. */
export const MOST_TOGETHER = 50;

export const runsOf = polledSignal<readonly Run[]>(POLL_MILLIS, [], (server) => async (known) => {
  const { runs } = await server.call<{ readonly runs: readonly Run[] }>('runs/list', {});
  return JSON.stringify(runs) === JSON.stringify(known) ? known : runs;
});
