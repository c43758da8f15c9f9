// Reads of methods, those that make frames of a large state carry much one after another.
import type { Frame, Shown } from '../../model/frame/reader.js';
import { Read } from '../../serving/session/read.js';
import { type CallContext, settledFrame } from './call-context.js';
import { GONE } from './caller.js';

type Context = Pick<CallContext, 'session' | 'source' | 'largeReads' | 'presence'>;

/**
 * Reads what is named from a frame that carries it and shows all changes that the session has asked for, again while
 * `take` finds that the latest frame does not carry it. The frame is borrowed: take from it before waiting for anything
 * else. Rejects with a RequestError when no such frame can come, and with an OverBoundError when too many large reads of
 * this client are not over.
 */
export async function readOnce<Result>(
  context: Context,
  shown: readonly Shown[],
  take: (frame: Frame, read: Read) => Result | undefined | Promise<Result | undefined>,
): Promise<Result> {
  const read = new Read(context.session, context);
  try {
    for (;;) {
      await settledFrame(context);
      const isShown = read.ask(shown);
      if (read.mustWait) await turnOf(read, context.presence);
      else if (isShown) {
        const result = await take(context.source.frame, read);
        if (result !== undefined) return result;
      }
    }
  } finally {
    read.end();
  }
}

/** Waits until a frame carries what is named. */
export const whenShown = (context: Context, shown: readonly Shown[]): Promise<true> =>
  readOnce(context, shown, () => true);

/** Waits for the turn of a read that must. Rejects with a GoneError when the client goes first. */
export async function turnOf(read: Read, presence: Context['presence']): Promise<void> {
  const turn = read.enter();
  const stopListening = presence.onEnd(() => read.end());
  await turn;
  stopListening();
  if (presence.isOver) throw GONE;
}
