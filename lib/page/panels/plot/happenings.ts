// What happened when, as all charts of the page show it: asked of the server while a chart is there.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Server } from '../../data/server.js';
import type { Happening } from './scene.js';

const POLL_MILLIS = 1000;
/** As many as the server keeps. */
const MOST = 1000;

interface Mark {
  readonly number: number;
  readonly kind: Happening['kind'];
  readonly sec_si: number;
  readonly text: string;
}

const KNOWN = new WeakMap<Server, ReadonlySignal<readonly Happening[]>>();

/** Asked for again while somebody reads the signal. */
export function happeningsOf(server: Server): ReadonlySignal<readonly Happening[]> {
  const known = KNOWN.get(server);
  if (known) return known;
  let last = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async (): Promise<void> => {
    try {
      if (server.has('sim/marks') && server.state.peek() === 'connected') {
        const { marks } = await server.call<{ readonly marks: readonly Mark[] }>('sim/marks', { after: last });
        last = marks.at(-1)?.number ?? last;
        const came = marks.map(({ kind, sec_si, text }) => ({ kind, text, seconds: sec_si }));
        if (came.length > 0) all.value = [...all.peek(), ...came].slice(-MOST);
      }
    } catch {
      // It is asked again.
    }
    if (timer !== undefined) timer = setTimeout(ask, POLL_MILLIS);
  };
  const all: Signal<readonly Happening[]> = signal<readonly Happening[]>([], {
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

/** The last that happened within so many seconds of a time. */
export const nearestHappening = (all: readonly Happening[], seconds: number, within: number): Happening | undefined =>
  all.findLast((each) => Math.abs(each.seconds - seconds) <= within);
