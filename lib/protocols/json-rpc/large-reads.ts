// Reads of methods, those that make frames of a large state carry much one after another.
import type { Shown } from '../../model/frame/reader.js';
import { LargeRead } from '../../serving/session/large-read.js';
import { type CallContext, settledFrame } from './call-context.js';
import { GONE } from './caller.js';

type Context = Pick<CallContext, 'session' | 'source' | 'account' | 'largeReads' | 'clock' | 'presence'>;

/**
 * Reads what is named from a frame that carries it, again while `read` finds that the latest frame does not. Rejects
 * with an OverBoundError when too many large reads of this client are not over.
 */
export async function inItsTurn<Result>(
  context: Context,
  shown: readonly Shown[],
  read: () => Promise<Result | undefined>,
): Promise<Result> {
  const { session, presence } = context;
  const large = new LargeRead(context, context.account);
  try {
    for (;;) {
      await settledFrame(context);
      const isShown = session.canShow(shown, large.mayAsk);
      if (large.mustWait) await turnOf(large, presence);
      else if (isShown) {
        const result = await read();
        if (result) return result;
      }
    }
  } finally {
    large.end();
  }
}

/** Waits for the turn of a read that must. Rejects with a GoneError when the client goes first. */
export async function turnOf(large: LargeRead, presence: Context['presence']): Promise<void> {
  const turn = large.enter();
  const stopListening = presence.onEnd(() => large.end());
  await turn;
  stopListening();
  if (presence.isOver) throw GONE;
}
