// How often a client gets messages: the protocol has no cadence, and a simulation may run a thousand times faster than time.
import { Mode } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Pace } from '../../serving/session/paced-reader.js';

/** What of a frame is looked at. */
type Numbered = { readonly header: Pick<Frame['header'], 'number' | 'mode'> };

/** Lets so many frames through in a second of wall time: the same ones to all readers of a client. */
export class WallPace {
  private dueMillis = 0;
  private number = 0;

  constructor(
    private readonly nowMillis: () => number,
    private readonly hertz: number,
  ) {}

  /** For one reader, which gets its first frame at once. */
  ofReader(): Pace {
    let isFirst = true;
    return {
      takes: (frame) => {
        const isTaken = this.takes(frame) || isFirst;
        isFirst = false;
        return isTaken;
      },
    };
  }

  takes({ header: { number, mode } }: Numbered): boolean {
    // Nothing follows the last frame of a run, nor one of a freeze.
    if (number === this.number || mode !== Mode.run) return true;
    const [now, cycle] = [this.nowMillis(), 1000 / this.hertz];
    // Frames as frequent as the pace come a little early or late; who is early waits longer for the next one.
    if (now < this.dueMillis - cycle / 2) return false;
    this.dueMillis = Math.max(this.dueMillis, now) + cycle;
    this.number = number;
    return true;
  }
}
