// Simulation times at which no frame starts until the server has run the commands for that time. Trick: add_read

/** How long a simulation waits for a server that does not release it. */
export const LONGEST_HOLD_MILLIS = 10_000;

interface Hold {
  /** Simulation time in tics. */
  readonly atTics: number;
  /** Whether it does not count while real time paces the simulation: there is time enough between frames. */
  readonly unlessPaced?: boolean;
}

const NONE: readonly [number, Hold][] = [];

export class Holds {
  /** By the id that the server chose. */
  private readonly times = new Map<number, Hold>();
  private sinceMillis: number | undefined;

  /** @param gaveUp called when the wait has lasted too long. */
  constructor(private readonly gaveUp: () => void) {}

  hold(id: number, hold: Hold): void {
    this.times.set(id, hold);
  }

  letGo(id: number): void {
    this.times.delete(id);
  }

  /** How many milliseconds the frame that starts at a time must wait at most; 0 when it may run. */
  waitMillis(timeTics: number, nowMillis: number, isPaced = false): number {
    // Without holds there is no list to make in every frame.
    const due =
      this.times.size === 0
        ? NONE
        : [...this.times].filter(([, hold]) => hold.atTics <= timeTics && !(isPaced && hold.unlessPaced));
    if (due.length === 0) {
      this.sinceMillis = undefined;
      return 0;
    }
    this.sinceMillis ??= nowMillis;
    const leftMillis = this.sinceMillis + LONGEST_HOLD_MILLIS - nowMillis;
    if (leftMillis > 0) return leftMillis;
    for (const [id] of due) this.times.delete(id);
    this.sinceMillis = undefined;
    this.gaveUp();
    return 0;
  }
}
