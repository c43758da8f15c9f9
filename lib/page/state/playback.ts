// The position of a recording, and seeking in it.
import { computed, signal } from '@preact/signals';
import type { PageState } from './page-state.js';

export class Playback {
  /** Undefined for a source that cannot be played. */
  readonly reach = computed(() => this.state.server.status.value?.playback);
  /** Seconds of the recording's own time; during a seek, the time that it goes to. */
  readonly position = computed(() => this.wanted.value ?? this.shown.value);
  private readonly wanted = signal<number | undefined>(undefined);
  /** The clock that people see may begin at another time than the recording's own. */
  private readonly shown = computed(() => {
    const { status, time } = this.state.server;
    const { sim_time, elapsed_sec = 0 } = status.value ?? {};
    return this.within((time.value ?? 0) - (sim_time?.sec_si ?? 0) + elapsed_sec);
  });
  private isOnItsWay = false;

  constructor(private readonly state: PageState) {}

  /** A drag seeks more often than the server answers; then only the last place counts. */
  seek(seconds: number): void {
    this.wanted.value = this.within(seconds);
    if (!this.isOnItsWay) void this.go();
  }

  private async go(): Promise<void> {
    this.isOnItsWay = true;
    let asked: number | undefined;
    while (asked !== this.wanted.peek()) {
      asked = this.wanted.peek();
      await this.state.attempt(() => this.state.server.call('sim/seek', { to_sec: asked }));
    }
    this.wanted.value = undefined;
    this.isOnItsWay = false;
  }

  private within(seconds: number): number {
    const { first_sec = 0, last_sec = Number.POSITIVE_INFINITY } = this.reach.value ?? {};
    return Math.min(Math.max(seconds, first_sec), last_sec);
  }
}
