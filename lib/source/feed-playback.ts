// A feed that clients can play: what its owner gives, and the requests for it.

import { Mode } from '../model/frame/header.js';
import { type Control, RequestError, type ServerControl } from '../simulation/executive/request.js';
import type { PlaybackState } from './source.js';

/** Slower or faster than this, clients see nothing useful. */
const RATES = { least: 0.001, most: 1000 } as const;

/**
 * What the owner of a feed gives so that clients can play it, as a recording. Times are seconds of the feed's own time.
 * When a method throws, the client's request is refused with the error's sentence.
 */
export interface Playback {
  readonly firstSeconds: number;
  /** May grow while the recording does. */
  readonly lastSeconds: number;
  /** Goes to a time from the first to the last, and publishes what was true then; if it ran, it continues to run. */
  seek(timeSeconds: number): void;
  /** Whether it also goes backwards: then rates and rows to step may be below 0. They are refused when left out. */
  readonly isReversible?: boolean;
  /** Runs from where it is, at `rate` of its own seconds per second; while it runs, changes the rate. */
  run(rate: number): void;
  freeze(): void;
  /** Freezes when it comes to a time. Clients' wishes for it are refused when left out. */
  freezeAt?(timeSeconds: number): void;
  /** Shows what is so many rows later, and stands still there. Clients' steps are refused when left out. */
  step?(rows: number): void;
}

/** A playback with its mode and rate; both change with requests, the mode also when its owner freezes. */
export class FeedPlayback {
  mode: Mode = Mode.run;
  /** Seconds of its own time per second, while it runs. */
  rate = 1;
  private isSeeking = false;

  constructor(private readonly playback: Playback) {}

  get state(): PlaybackState {
    const { firstSeconds, lastSeconds } = this.playback;
    return { firstSeconds, lastSeconds };
  }

  /** Whether it runs backwards. */
  get isReversed(): boolean {
    return this.rate < 0 && this.mode === Mode.run;
  }

  /** Whether the frame now published lies at another time because a client went there; true once for each seek. */
  hasSought(): boolean {
    const { isSeeking } = this;
    this.isSeeking = false;
    return isSeeking;
  }

  /** Throws what the owner throws, or a RequestError for what a playback does not do. */
  apply(control: Control | ServerControl): void {
    switch (control.action) {
      case 'run':
        this.run();
        break;
      case 'freeze':
        this.freeze(control.atSeconds);
        break;
      case 'step':
        this.step(control.frames);
        break;
      case 'clock-ratio':
        this.setRate(control.ratio);
        break;
      case 'seek':
        this.seek(control.toSeconds);
        break;
      default:
        throw new RequestError(`a playback has no ${control.action}`);
    }
  }

  private run(): void {
    const before = this.mode;
    // The owner may come to the end at once, and freeze again.
    this.mode = Mode.run;
    try {
      this.playback.run(this.rate);
    } catch (error) {
      this.mode = before;
      throw error;
    }
  }

  private freeze(atSeconds: number | undefined): void {
    if (atSeconds === undefined) {
      this.playback.freeze();
      this.mode = Mode.freeze;
    } else if (this.playback.freezeAt) this.playback.freezeAt(atSeconds);
    else throw new RequestError('a playback freezes at once: run it to that time, or seek there');
  }

  private step(rows: number): void {
    if (!this.playback.step) throw new RequestError('this playback has no rows to step by');
    if (rows < 0 && !this.playback.isReversible) throw new RequestError('this playback does not step back');
    this.playback.step(rows);
    this.mode = Mode.freeze;
  }

  private setRate(rate: number): void {
    const { least, most } = RATES;
    const { isReversible = false } = this.playback;
    const size = isReversible ? Math.abs(rate) : rate;
    if (!(size >= least && size <= most))
      throw new RequestError(
        `the rate of a playback is a number from ${least} to ${most}${isReversible ? `, or from -${most} to -${least}` : ''}, not ${rate}`,
      );
    if (this.mode === Mode.run) this.playback.run(rate);
    this.rate = rate;
  }

  private seek(toSeconds: number): void {
    const { firstSeconds, lastSeconds } = this.playback;
    if (!(toSeconds >= firstSeconds && toSeconds <= lastSeconds))
      throw new RequestError(`times here are from ${firstSeconds} to ${lastSeconds} s; there is no ${toSeconds} s`);
    this.isSeeking = true;
    try {
      this.playback.seek(toSeconds);
    } catch (error) {
      this.isSeeking = false;
      throw error;
    }
  }
}
