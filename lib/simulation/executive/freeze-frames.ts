// Frames of a freeze: simulation time stands, and they pass by wall time.
import { Mode } from '../../model/frame/header.js';
import type { Executive } from './executive.js';
import { TICS_PER_SECOND } from './executive-options.js';
import type { Moment } from './moments.js';

interface Frozen {
  readonly executive: Executive;
  readonly nowMillis: () => number;
  readonly recording: { mark(mark: 'freeze' | 'run', text: string): void };
}

export class FreezeFrames {
  /** When the current freeze frame began; undefined outside a freeze. */
  private sinceMillis: number | undefined;

  /** @param moment runs the jobs of a moment. */
  constructor(
    private readonly running: Frozen,
    private readonly moment: (moment: Moment) => void,
  ) {}

  /** Passes a frame if it is due; returns milliseconds until the next one is. */
  turn(): number {
    const { executive, nowMillis, recording } = this.running;
    const now = nowMillis();
    if (this.sinceMillis === undefined && executive.mode === Mode.freeze) {
      this.sinceMillis = now;
      recording.mark('freeze', 'frozen');
      this.moment('freeze_init');
    }
    this.sinceMillis ??= now;
    const lengthMillis = (1000 * executive.freezeFrameTics) / TICS_PER_SECOND;
    if (executive.mode !== Mode.exit && now >= this.sinceMillis + lengthMillis) {
      if (executive.mode === Mode.freeze) this.moment('freeze');
      executive.runFreezeFrame();
      // After a delay longer than a frame, the lost freeze frames are not made up for.
      this.sinceMillis = Math.max(this.sinceMillis + lengthMillis, now - lengthMillis);
    }
    return Math.max(0, this.sinceMillis + lengthMillis - nowMillis());
  }

  /** The run goes on. */
  end(): void {
    if (this.sinceMillis === undefined) return;
    this.moment('unfreeze');
    this.sinceMillis = undefined;
    const { executive, recording } = this.running;
    if (executive.mode === Mode.run) recording.mark('run', 'running again');
  }
}
