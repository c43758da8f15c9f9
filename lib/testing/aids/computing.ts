// Long computations without waiting for them: a clock that goes on while it is looked at, and a count of the pieces.
import type { Turns } from '../../serving/scheduling/turns.js';
import { ManualClock } from './manual-clock.js';

/** Each look at it finds it so much later. */
export class ComputingClock extends ManualClock {
  millisPerLook = 0;

  override nowMillis(): number {
    if (this.millisPerLook > 0) this.advance(this.millisPerLook);
    return super.nowMillis();
  }
}

/** Counts from now on how often work was cut. */
export function countPieces(turns: Turns): () => number {
  let pieces = 0;
  const { resume } = turns;
  turns.resume = (...given) => {
    pieces++;
    resume.apply(turns, given);
  };
  return () => pieces;
}
