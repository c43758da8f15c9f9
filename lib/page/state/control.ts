// What people do with the simulation itself: run, freeze, step, pace, checkpoints, the end.
import { effect, signal } from '@preact/signals';
import type { Mode } from '../data/server.js';
import type { PageState } from './page-state.js';

/** Rates that are offered besides a typed one, in simulation seconds per second. */
export const RATES = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50] as const;
/** Of a recording, which also goes backwards. */
export const PLAYBACK_RATES = [-10, -2, -1, -0.5, ...RATES] as const;

export const MODE_WORDS: Readonly<Record<Mode, string>> = {
  initialization: 'Starting',
  freeze: 'Frozen',
  step: 'Stepping',
  run: 'Running',
  exit: 'Ended',
  disconnected: 'Disconnected',
};

/** Trick's variables of the pace; a source may have none. */
export const PACE = {
  ratio: 'trick_real_time.rt_sync.actual_run_ratio',
  overruns: 'trick_real_time.rt_sync.total_overrun',
} as const;

export class SimulationControl {
  /** How many ticks a step takes. */
  readonly stepTicks = signal(1);
  /** The rate that any client has asked for last; it stays while the simulation runs as fast as possible. */
  readonly rate = signal(1);

  constructor(private readonly state: PageState) {
    effect(() => {
      const ratio = state.server.status.value?.clock_ratio;
      if (typeof ratio === 'number') this.rate.value = ratio;
    });
  }

  /** Whether this page may run and freeze the source, and change its rate. */
  get mayPlay(): boolean {
    const { server } = this.state;
    return server.may('control') || server.may('playback');
  }

  get mode(): Mode | undefined {
    return this.state.server.status.peek()?.mode;
  }

  runOrFreeze(): Promise<void> {
    return this.control({ action: this.mode === 'run' ? 'freeze' : 'run' });
  }

  step(): Promise<void> {
    return this.control({ action: 'step', frames: this.stepTicks.peek() });
  }

  async setRate(ratio: number): Promise<void> {
    if (!Number.isFinite(ratio) || ratio === 0 || (ratio < 0 && !this.isPlayback)) {
      this.state.say('a rate is a number above 0', 'error');
      return;
    }
    await this.state.attempt(async () => {
      await this.state.server.call('sim/control', { action: 'clock_ratio', ratio });
      this.rate.value = ratio;
      this.state.say(`${ratio} simulation seconds in a second`);
    });
  }

  private get isPlayback(): boolean {
    return this.state.server.status.peek()?.playback !== undefined;
  }

  /** The next rate of the list, up or down. */
  changeRate(direction: 1 | -1): Promise<void> {
    const now = this.rate.peek();
    const rates = this.isPlayback ? PLAYBACK_RATES : RATES;
    const further = rates.filter((rate) => (direction > 0 ? rate > now : rate < now));
    const next = direction > 0 ? further[0] : further.at(-1);
    return next === undefined ? Promise.resolve() : this.setRate(next);
  }

  setRealTime(enabled: boolean): Promise<void> {
    return this.control({ action: 'real_time', enabled }, enabled ? 'paced by the clock' : 'as fast as possible');
  }

  terminate(): Promise<void> {
    return this.control({ action: 'terminate' }, 'the simulation was told to end');
  }

  dumpCheckpoint(file: string): Promise<void> {
    return this.state.attempt(async () => {
      const named = file.trim() === '' ? {} : { file: file.trim() };
      const { file: written } = await this.state.server.call<{ file: string }>('sim/checkpoint', named);
      this.state.say(`checkpoint ${written} is written`);
    });
  }

  loadCheckpoint(file: string): Promise<void> {
    return this.state.attempt(
      () => this.state.server.call('sim/load-checkpoint', { file }),
      `checkpoint ${file} is loaded`,
    );
  }

  private control(params: object, done?: string): Promise<void> {
    return this.state.attempt(() => this.state.server.call('sim/control', params), done);
  }
}
