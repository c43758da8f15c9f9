// How far the integration has moved the state: the time of what jobs see after it.

export class MovedTime {
  private tics = 0;
  private isSeen = false;

  /** Notes that the state has been moved on to a time. */
  moveTo(timeTics: number): void {
    this.tics = Math.max(this.tics, timeTics);
  }

  restartAt(timeTics: number): void {
    this.tics = timeTics;
  }

  /** Runs what sees the moved state. */
  see<T>(run: () => T): T {
    this.isSeen = true;
    try {
      return run();
    } finally {
      this.isSeen = false;
    }
  }

  /** The time of the state that is seen at a simulation time. */
  at(timeTics: number): number {
    return this.isSeen ? Math.max(timeTics, this.tics) : timeTics;
  }
}
