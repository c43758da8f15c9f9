// Reads that make frames of a large state carry much, which wait for each other.
import type { Shown } from '../frame/reader.js';
import type { Place } from '../scheduling/few-at-a-time.js';
import { Held } from '../scheduling/held.js';
import { MOST_FREE_PAGES } from '../session/value-count.js';
import { type CallContext, settledFrame } from './call-context.js';
import { GONE } from './caller.js';

/** Frames carry what a large read has asked for a while longer, and then nothing of it for a while. */
const REST_MILLIS = 200;

/**
 * Reads what is named from a frame that carries it, again while `read` finds that the latest frame does not. A read that
 * makes frames carry much waits for its turn, because all clients' frames would carry what all of these need. Rejects
 * with an OverBoundError when too many of this client are not over.
 */
export async function inItsTurn<Result>(
  context: Pick<CallContext, 'session' | 'source' | 'account' | 'largeReads' | 'clock' | 'presence'>,
  shown: readonly Shown[],
  read: () => Promise<Result | undefined>,
): Promise<Result> {
  const { session, account, largeReads, clock, presence } = context;
  const held = new Held(account);
  let place: Place | undefined;
  try {
    for (;;) {
      await settledFrame(context);
      let mustWait = false;
      const isShown = session.canShow(shown, (pages) => {
        mustWait = !place && pages > MOST_FREE_PAGES;
        return !mustWait;
      });
      if (mustWait) {
        held.set('largeReads', 1);
        place = largeReads.enter(account);
        const stopListening = presence.onEnd(place.leave);
        await place.turn;
        stopListening();
        if (presence.isOver) throw GONE;
      } else if (isShown) {
        const result = await read();
        if (result) return result;
      }
    }
  } finally {
    held.release();
    if (place) clock.after(presence.isOver ? 0 : REST_MILLIS, place.leave);
  }
}
