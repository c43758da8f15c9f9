// An FMU of scheduled execution: its input clocks tick at their times, and each tick has the FMU compute a part of its model.
import type { ClockInterval, FmuClock } from './description.js';
import { FmiError, type StepResult } from './fmi.js';
import { Fmi3 } from './fmi3.js';
import type { LogLines } from './log-lines.js';
import type { Setup } from './messages.js';
import type { Koffi } from './native.js';

/** More ticks within a step mean that a clock never lets time pass. */
const MOST_TICKS = 100_000;
/** So little of a step is left for rounding alone. */
const ROUNDING = 1e-12;
/** fmi3IntervalChanged of fmi3IntervalQualifier. */
const CHANGED = 2;
/** Clocks whose intervals the FMU says: at the start, after inputs and parameters have been written, and after a tick. */
const TOLD: ReadonlySet<ClockInterval> = new Set(['calculated', 'tunable', 'changing', 'countdown']);
const TOLD_AT_WRITES: ReadonlySet<ClockInterval> = new Set(['tunable', 'countdown']);

/** It ticks at `base + ticks * interval`. */
interface RunningClock extends FmuClock {
  base: number;
  ticks: number;
  interval: number;
}
const nextOf = ({ base, ticks, interval }: RunningClock): number => (ticks === 0 ? base : base + ticks * interval);

/** Numbers of a clock behind the state of an FMU. */
const SAVED = ['base', 'ticks', 'interval'] as const;

export class ScheduledFmi extends Fmi3 {
  /** Of clocks that tick at one time, the first one goes first. */
  private readonly clocks: readonly RunningClock[];
  private startSeconds = 0;

  constructor(koffi: Koffi, setup: Setup, logs: LogLines) {
    super(koffi, setup, logs);
    this.clocks = setup.clocks
      .map((clock) => ({ ...clock, base: 0, ticks: 0, interval: clock.seconds ?? Number.POSITIVE_INFINITY }))
      .sort((one, other) => one.priority - other.priority);
  }

  override enterInitialization(startSeconds: number, tolerance: number | undefined): void {
    super.enterInitialization(startSeconds, tolerance);
    this.startSeconds = startSeconds;
  }

  override exitInitialization(): void {
    super.exitInitialization();
    for (const clock of this.clocks)
      clock.base = Number.isFinite(clock.interval) ? this.startSeconds + clock.shiftSeconds : Number.POSITIVE_INFINITY;
    this.askIntervals(this.startSeconds, ({ kind }) => TOLD.has(kind));
    this.runTo(this.startSeconds);
  }

  /** Ticks that come at the end of a step belong to it. */
  override step(seconds: number, length: number): StepResult {
    this.askIntervals(seconds, ({ kind }) => TOLD_AT_WRITES.has(kind));
    this.runTo(seconds + length);
    return { terminates: false };
  }

  private runTo(endSeconds: number): void {
    const lastSeconds = endSeconds + ROUNDING * Math.max(1, Math.abs(endSeconds));
    for (let ticks = 0; ; ticks++) {
      const clock = this.clocks.reduce<RunningClock | undefined>(
        (first, one) => (first === undefined || nextOf(one) < nextOf(first) - ROUNDING ? one : first),
        undefined,
      );
      const atSeconds = clock ? nextOf(clock) : Number.POSITIVE_INFINITY;
      if (!clock || atSeconds > lastSeconds) return;
      if (ticks === MOST_TICKS) throw new FmiError(`its clocks have ticked ${ticks} times within a step`);
      clock.ticks++;
      if (clock.kind === 'countdown') clock.base = Number.POSITIVE_INFINITY;
      this.calls.checked('ActivateModelPartition', ['void *', 'uint32_t', 'double'])(
        this.instance,
        clock.valueReference,
        atSeconds,
      );
      this.askIntervals(atSeconds, (one) => one.kind === 'countdown' || (one === clock && one.kind === 'changing'));
    }
  }

  /** Takes the intervals that the FMU has changed. A new one counts from the clock's last tick, a countdown from now. */
  private askIntervals(nowSeconds: number, isAsked: (clock: RunningClock) => boolean): void {
    const { floats, words } = this.cells;
    const takes = ['void *', 'void *', 'size_t', 'void *', 'void *'];
    for (const clock of this.clocks.filter(isAsked)) {
      words[0] = clock.valueReference;
      this.calls.checked('GetIntervalDecimal', takes)(this.instance, words, 1, floats, words.subarray(1));
      const [interval = 0] = floats;
      if (words[1] !== CHANGED) continue;
      if (!(interval > 0 || (interval === 0 && clock.kind === 'countdown')))
        throw new FmiError(`the interval of its clock ${clock.name} is ${interval} s`);
      if (clock.kind === 'countdown') [clock.base, clock.ticks] = [nowSeconds + interval, 0];
      else if (clock.ticks === 0) clock.base = this.startSeconds + clock.shiftSeconds;
      else
        [clock.base, clock.ticks] = [Math.max(nextOf({ ...clock, ticks: clock.ticks - 1 }), nowSeconds - interval), 1];
      clock.interval = interval;
    }
  }

  /** The times of the clocks stand behind the state of the FMU. */
  override serialize(): Uint8Array {
    const times = Float64Array.from(this.clocks.flatMap((clock) => SAVED.map((name) => clock[name])));
    return Buffer.concat([super.serialize(), new Uint8Array(times.buffer)]);
  }

  override deserialize(bytes: Uint8Array): void {
    const length = bytes.length - 8 * SAVED.length * this.clocks.length;
    if (length < 0) throw new FmiError('the saved state has no times of its clocks');
    super.deserialize(bytes.slice(0, length));
    const times = new Float64Array(bytes.slice(length).buffer);
    for (const [index, clock] of this.clocks.entries())
      for (const [at, name] of SAVED.entries()) clock[name] = times[SAVED.length * index + at] as number;
  }
}
