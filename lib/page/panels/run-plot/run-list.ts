// The runs of the server, as all plots of runs know them: asked again while somebody looks.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Server } from '../../data/server.js';
import type { Run } from './curves.js';

const POLL_MILLIS = 5000;
/** More cannot be told apart; a plot of others names them. */
export const MOST_TOGETHER = 50;
const KNOWN = new WeakMap<Server, ReadonlySignal<readonly Run[]>>();

/** Undefined runs are an empty list. */
export function runsOf(server: Server): ReadonlySignal<readonly Run[]> {
  const known = KNOWN.get(server);
  if (known) return known;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    try {
      const { runs } = await server.call<{ readonly runs: readonly Run[] }>('runs/list', {});
      if (JSON.stringify(runs) !== JSON.stringify(all.peek())) all.value = runs;
    } catch {
      // It is asked again.
    }
    if (timer !== undefined) timer = setTimeout(ask, POLL_MILLIS);
  };
  const all: Signal<readonly Run[]> = signal<readonly Run[]>([], {
    watched: () => {
      timer ??= setTimeout(ask, 0);
    },
    unwatched: () => {
      clearTimeout(timer);
      timer = undefined;
    },
  });
  KNOWN.set(server, all);
  return all;
}
