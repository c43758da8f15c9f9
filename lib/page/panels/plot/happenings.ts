// What happened when, as all charts of the page show it: asked of the server while a chart is there.
import { polledSignal } from '../../data/polled-signal.js';
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

export const happeningsOf = polledSignal<readonly Happening[]>(POLL_MILLIS, [], (server) => {
  let last = 0;
  return async (known) => {
    if (!server.has('sim/marks') || server.state.peek() !== 'connected') return known;
    const { marks } = await server.call<{ readonly marks: readonly Mark[] }>('sim/marks', { after: last });
    last = marks.at(-1)?.number ?? last;
    const came = marks.map(({ kind, sec_si, text }) => ({ kind, text, seconds: sec_si }));
    return came.length === 0 ? known : [...known, ...came].slice(-MOST);
  };
});

/** The last that happened within so many seconds of a time. */
export const nearestHappening = (all: readonly Happening[], seconds: number, within: number): Happening | undefined =>
  all.findLast((each) => Math.abs(each.seconds - seconds) <= within);
