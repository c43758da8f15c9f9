// What a session asks of the simulation for exact copies: a frame at each multiple of its cycle. Trick: VS_COPY_SCHEDULED
import { type FrameHeader, Reason } from '../../../model/frame/header.js';
import type { Source } from '../../../source/source.js';

/** A cycle of 0 means as fast as possible; that is a copy each millisecond of simulation time. */
const SHORTEST_PERIOD_TICS = 1000;

export const periodTicsOf = (seconds: number, { ticsPerSecond }: FrameHeader): number =>
  Math.max(SHORTEST_PERIOD_TICS, Math.round(seconds * ticsPerSecond));

export class ExactCopies {
  private heldTics: number | undefined;
  /** The time of the latest exact copy, or since when it is waited for. */
  private copiedTics = 0;

  /** @param refused called with a sentence when the simulation makes no more of them. */
  constructor(
    private readonly source: Source,
    private readonly refused: (sentence: string) => void,
  ) {}

  /** Asks for copies with that period, or for none. */
  hold(periodTics: number | undefined): void {
    if (periodTics === this.heldTics) return;
    if (this.heldTics !== undefined) this.schedule(this.heldTics, false);
    if (periodTics !== undefined) this.schedule(periodTics, true);
    this.heldTics = periodTics;
    this.copiedTics = this.source.frame.header.timeTics;
  }

  /** Asks anew when exact copies no longer come: the simulation ends those that carry too much, and then refuses them. */
  see({ reason, timeTics, ticsPerSecond }: FrameHeader): void {
    const period = this.heldTics;
    if (period === undefined) return;
    const isCopy = reason === Reason.scheduled && timeTics % period === 0;
    if (isCopy || timeTics < this.copiedTics) this.copiedTics = timeTics;
    if (timeTics - this.copiedTics <= period + ticsPerSecond) return;
    this.copiedTics = timeTics;
    this.schedule(period, false);
    this.schedule(period, true);
  }

  private schedule(periodTics: number, hold: boolean): void {
    const refused = ({ message }: Error): void => {
      if (!hold || this.heldTics !== periodTics) return;
      // The simulation refused the copies, so there is nothing to give back.
      this.heldTics = undefined;
      this.refused(message);
    };
    this.source.submit({ kind: 'schedule', periodTics, hold }).catch(refused);
  }
}
