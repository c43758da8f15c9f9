// Brings mirrors, whose values live in the simulation's own code, up to date for a frame.
import type { State } from '../../model/state/state.js';
import type { Executive } from './executive.js';

export class MirrorPull {
  private failure = '';

  constructor(
    private readonly state: State,
    private readonly executive: Executive,
  ) {}

  /** A getter that fails freezes a running simulation; its component keeps its last value. */
  pull(): void {
    try {
      this.state.pullMirrors();
      this.failure = '';
    } catch (error) {
      const { message } = error as Error;
      if (this.executive.isHeld && message === this.failure) return;
      this.failure = message;
      this.executive.fail(error as Error);
      // The executive's own variables must show the freeze; getters that fail again have been reported.
      this.pullQuietly();
    }
  }

  private pullQuietly(): void {
    try {
      this.state.pullMirrors();
    } catch {}
  }
}
