// Which sample comes after a jump ahead in a recording: plots draw no line over what was left out.

/** A time to which this page goes, by the clock that samples have. */
interface Jump {
  readonly seconds: number;
}

export class Jumps {
  private latest: Jump | undefined;

  /** The page asks for another time; undefined when that is refused. */
  to(seconds: number | undefined): void {
    this.latest = seconds === undefined ? undefined : { seconds };
  }

  /** Says of each sample of one watch whether it comes after a jump ahead. Time that goes back needs no telling. */
  follower(): (seconds: number) => boolean {
    let before: number | undefined;
    let done = this.latest;
    return (seconds) => {
      const { latest } = this;
      const last = before;
      before = seconds;
      if (!latest || latest === done || last === undefined) return false;
      // The recording may run on for a moment; the sample that is nearer to the aim has jumped.
      const isAhead = latest.seconds > last;
      if (isAhead && seconds < (last + latest.seconds) / 2) return false;
      done = latest;
      return isAhead;
    };
  }
}
