// One number or text whose past is kept: what is sampled, how often, and who wants it.
import { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import type { Value } from '../../model/state/read.js';
import { isCharacters } from '../../model/state/type.js';
import type { Earlier } from '../../source/source.js';
import { frameCadence, tickMillisOf } from '../session/frame-cadence.js';
import type { Reference } from '../session/reference.js';
import { Pyramid } from './pyramid.js';
import { Texts } from './texts.js';

/** The cycle of a series that nobody has subscribed to. */
const ASKED_CYCLE_MILLIS = 10;
/** A tick length that no simulation has: that of a series without samples. */
const NOT_KNOWN = -1;
const NO_CYCLE = -1;

/** Why a series is kept; the least is the first to give way. */
export const Wanted = { asked: 0, plottedBefore: 1, plotted: 2, named: 3 } as const;

export class Series {
  readonly pyramid: Pyramid;
  /** Of a text: what the numbers of its samples mean. */
  readonly texts = new Texts();
  lastWantedMillis = 0;
  isNamed = false;
  /** Settles when it has the past of what it is computed of. */
  filling: Promise<void> | undefined;
  private readonly lease = new Lease();
  private readonly shown: readonly Reference[];
  private wasPlotted = false;
  /** The cycles that subscriptions want, in milliseconds, and that of the time after the last of them. */
  private readonly cycles: number[] = [];
  private restCycle = ASKED_CYCLE_MILLIS;
  /** Ticks between samples, for ticks of this length. */
  private everyTicks = 1;
  private tickMillis = NOT_KNOWN;
  /** Number of whole cycles before the last sample, or none when a sample is due at any frame. */
  private lastCycle = NO_CYCLE;

  /** @param jumps how often time had jumped when it began. */
  constructor(
    readonly reference: Reference,
    wholeSeconds: number,
    private jumps: number,
  ) {
    this.shown = [reference];
    this.pyramid = new Pyramid(wholeSeconds);
  }

  get wanted(): number {
    if (this.isNamed) return Wanted.named;
    if (this.cycles.length > 0) return Wanted.plotted;
    return this.wasPlotted ? Wanted.plottedBefore : Wanted.asked;
  }

  /** Is kept from now on, whoever comes and goes, with a sample of every tick. */
  name(): void {
    this.isNamed = true;
    this.begin(0);
  }

  begin(cycleMillis: number): void {
    this.wasPlotted = true;
    this.cycles.push(cycleMillis);
    this.tickMillis = NOT_KNOWN;
  }

  /** Ends one subscription; the series goes on at the cycle of the last one. */
  end(cycleMillis: number): void {
    this.cycles.splice(this.cycles.indexOf(cycleMillis), 1);
    this.restCycle = cycleMillis;
    this.tickMillis = NOT_KNOWN;
  }

  /** Takes a sample if one is due. */
  take(frame: Frame, tickMillis: number): void {
    if (this.filling) return;
    if (!this.isDue(frame, tickMillis)) return;
    if (this.lease.ask(this.shown, frame)) this.sample(frame);
    // The next frame that has the value is taken instead.
    else this.lastCycle = NO_CYCLE;
  }

  /** Whether a cycle begins with the frame, or time stands still, as in a freeze, or has jumped, as with a checkpoint. */
  private isDue({ header }: Frame, tickMillis: number): boolean {
    if (this.tickMillis !== tickMillis) {
      const wanted = this.cycles.length === 0 ? this.restCycle : Math.min(...this.cycles);
      const { everyTicks, effectiveCycleMillis } = frameCadence(wanted, tickMillis);
      this.everyTicks = everyTicks;
      this.lease.cycleSeconds = effectiveCycleMillis / 1000;
      this.tickMillis = tickMillis;
    }
    const cycle = Math.floor(header.tick / this.everyTicks);
    const isElsewhere = header.jumps !== this.jumps || header.clockSeconds <= (this.pyramid.lastTime ?? 0);
    const isDue = cycle !== this.lastCycle || isElsewhere;
    this.lastCycle = cycle;
    return isDue;
  }

  /** Takes a sample of the time before it is due, if the frame has it. */
  takeFirst(frame: Frame): void {
    if (this.lease.ask(this.shown, frame) && frame.header.number > 0) this.sample(frame);
  }

  /** Takes what was kept elsewhere. */
  takeEarlier({ times, values }: Earlier): void {
    const { type } = this.reference.current ?? {};
    const isText = type?.kind === 'text' || (type !== undefined && isCharacters(type));
    for (const [index, time] of times.entries()) {
      const value = values[index] ?? null;
      const number = isText && typeof value === 'string' ? this.texts.numberOf(value) : value;
      if (number === null || number === undefined) this.pyramid.addGap(time);
      else this.pyramid.add(time, Number(number));
    }
  }

  /** Frames need not carry it any longer. */
  forget(): void {
    this.lease.end();
  }

  private sample(frame: Frame): void {
    const { reference, pyramid } = this;
    const value = reference.read(frame);
    const { clockSeconds, jumps } = frame.header;
    if (jumps !== this.jumps) pyramid.addJump(clockSeconds, tickMillisOf(frame.header) / 1000);
    this.jumps = jumps;
    const number = this.numberOf(value);
    if (number === undefined) pyramid.addGap(clockSeconds);
    else pyramid.add(clockSeconds, number);
  }

  private numberOf(value: Value | undefined): number | undefined {
    if (typeof value === 'number') return value;
    if (typeof value === 'string') return this.texts.numberOf(value);
    return typeof value === 'bigint' || typeof value === 'boolean' ? Number(value) : undefined;
  }
}
