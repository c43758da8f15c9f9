// Waits for a frame that gives an answer: as long as time, the client and the simulation last.
import type { Frame } from '../../model/frame/reader.js';
import type { Clock } from '../../serving/scheduling/clock.js';
import type { FrameFollowers } from '../../serving/session/frame-followers.js';
import type { Source } from '../../source/source.js';
import { type Caller, GONE } from './caller.js';

interface Context extends Pick<Caller, 'account' | 'presence' | 'turn'> {
  readonly clock: Clock;
  readonly followers: Pick<FrameFollowers, 'add'>;
  readonly source: Source;
}

export interface FrameWait<Answer> {
  /** Each looks at frames in a piece of work of its own; the first answer ends the wait. */
  readonly looks: readonly ((frame: Frame) => Answer | undefined)[];
  /** The number of the latest frame that needs no look. */
  readonly seen: number;
  /** Infinite for as long as it takes. */
  readonly timeoutMillis: number;
  /** The answer when time runs out, or throws the error. */
  readonly late: () => Answer;
  /** The error when the simulation ends. */
  readonly ended: (reason: string) => Error;
  /** The error when a look fails. Default: as when the simulation ends. */
  readonly failed?: (sentence: string) => Error;
}

/** Rejects with the errors of the wait, and with a GoneError when the client goes. */
export function firstAnswer<Answer>(
  { account, presence, turn, clock, followers, source }: Context,
  { looks, seen, timeoutMillis, late, ended, failed = ended }: FrameWait<Answer>,
): Promise<Answer> {
  if (presence.isOver) return Promise.reject(GONE);
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    let isOver = false;
    const stopAll = (): void => {
      for (const stop of stops.splice(0)) stop();
    };
    const settle = (act: () => void): void => {
      isOver = true;
      stopAll();
      act();
    };
    const refuse = (error: unknown): void => settle(() => reject(error));
    const lookWith = (look: (frame: Frame) => Answer | undefined, frame: Frame): void => {
      const answer = look(frame);
      if (answer !== undefined) settle(() => resolve(answer));
    };
    const lookNow = async (): Promise<void> => {
      for (const look of looks) {
        await turn();
        if (isOver) return;
        lookWith(look, source.frame);
      }
    };
    stops.push(presence.onEnd(() => refuse(GONE)));
    const timeOut = async (): Promise<Answer> => late();
    if (Number.isFinite(timeoutMillis)) stops.push(clock.after(timeoutMillis, () => settle(() => resolve(timeOut()))));
    for (const look of looks) {
      const follower = {
        account,
        look: (frame: Frame) => lookWith(look, frame),
        end: (reason: string) => refuse(ended(reason)),
        // A client that leaves is forgotten, too, and needs no error.
        failed: (sentence: string) => refuse(presence.isOver ? GONE : failed(sentence)),
      };
      stops.push(followers.add(follower));
    }
    // A simulation that has ended ends it at once.
    if (isOver) stopAll();
    else if (source.frame.header.number !== seen) lookNow().catch(refuse);
  });
}
