// How long software frames and freeze frames are. Each frame costs the simulation something, and requests wait for its end,
// so clients may not make them as short or as long as they like.

/** Shorter ones, and longer ones, are for the simulation itself and its input file, in seconds. */
export const LEAST_FRAME_SECONDS = 0.001;
export const LONGEST_FRAME_SECONDS = 1;

interface Clock {
  readonly isBeforeStart: boolean;
  toTics(seconds: number): number;
}

/** Throws a RangeError with one sentence unless a frame has at least a microsecond and less than a million seconds. */
export function requireFrameSeconds(seconds: number, what: string): number {
  if (seconds >= 1e-6 && seconds < 1e6) return seconds;
  throw new RangeError(`${what} is a time in seconds from 1e-6 up, not ${seconds}`);
}

/** The length of frames of a kind. */
export class FrameLength {
  private length: number;
  private own: number;

  /** @param what a frame of this kind is called in a sentence. */
  constructor(
    seconds: number,
    private readonly what: string,
    private readonly clock: Clock,
  ) {
    this.length = clock.toTics(seconds);
    this.own = this.length;
  }

  get tics(): number {
    return this.length;
  }
  /** What the simulation, its program or the operator has set. */
  get ownTics(): number {
    return this.own;
  }

  /** Throws a RangeError with one sentence when frames may not have this length. @param isClients whether a client asks. */
  require(seconds: number, isClients = true): void {
    requireFrameSeconds(seconds, this.what);
    if (this.isFree(isClients)) return;
    const tics = this.clock.toTics(seconds);
    const least = Math.min(this.own, this.clock.toTics(LEAST_FRAME_SECONDS));
    const longest = Math.max(this.own, this.clock.toTics(LONGEST_FRAME_SECONDS));
    if (tics >= least && tics <= longest) return;
    const bounds = `from ${least / this.clock.toTics(1)} to ${longest / this.clock.toTics(1)} s`;
    throw new RangeError(`a client may make ${this.what} ${bounds} long, not ${seconds}`);
  }

  /** Throws a RangeError as `require` does. */
  set(seconds: number, isClients = true): void {
    this.require(seconds, isClients);
    this.length = this.clock.toTics(seconds);
    if (this.isFree(isClients)) this.own = this.length;
  }

  /** What comes before the start comes from the input file. */
  private isFree(isClients: boolean): boolean {
    return !isClients || this.clock.isBeforeStart;
  }
}
