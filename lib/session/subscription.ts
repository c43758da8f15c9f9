// Variables sent together on a cycle, and the clients that read them.
import { type FrameHeader, Reason } from '../frame/header.js';
import type { Frame } from '../frame/reader.js';
import type { Delivery } from '../http/delivery.js';
import type { ChangeGate } from './change-gate.js';
import { type FrameCadence, frameCadence, isDue } from './frame-cadence.js';
import type { Outbound } from './outbound.js';
import type { Reference } from './reference.js';

export const tickMillisOf = (header: FrameHeader): number => (header.softwareFrameTics * 1000) / header.ticsPerSecond;

/** One client that a subscription's messages go to. */
export class Reader {
  private lastNumber = 0;
  private missed = 0;

  constructor(
    private readonly outbound: Outbound,
    private readonly delivery: Delivery,
    /** Closes the stream when the subscription ends first. */
    private readonly onEnd: () => void,
  ) {}

  /** Messages left out since the last one sent. */
  get isBehind(): boolean {
    return this.missed > 0;
  }

  /** Goes on behind a frame that the client has seen, with so many messages lost since. */
  resumeAfter(number: number, lost: number): void {
    this.lastNumber = number;
    this.missed += lost;
  }

  /** Sends what a frame shows, once a frame; a client that does not read misses whole messages. */
  offer(frame: Frame): void {
    const { number } = frame.header;
    if (number <= this.lastNumber) return;
    this.lastNumber = number;
    const message = this.delivery.message(frame);
    const counted = this.missed > 0 ? this.delivery.withDropped(message, this.missed) : message;
    if (this.outbound.offer(counted)) this.missed = 0;
    else this.missed++;
  }

  /** A message was due at a frame that cannot be read any more. */
  miss(): void {
    this.missed++;
  }

  release(): void {
    this.delivery.release();
  }

  end(): void {
    this.release();
    this.onEnd();
  }
}

export class Subscription {
  readonly readers = new Set<Reader>();
  isPaused = false;
  private late = false;
  private cadence: FrameCadence;
  private tickMillis: number;

  constructor(
    readonly id: string,
    readonly references: readonly Reference[],
    private cycleMillis: number,
    header: FrameHeader,
    private readonly gate: ChangeGate | undefined,
    readonly format: 'json' | 'binary' = 'json',
  ) {
    this.tickMillis = tickMillisOf(header);
    this.cadence = frameCadence(cycleMillis, this.tickMillis);
  }

  get effectiveCycleMillis(): number {
    return this.cadence.effectiveCycleMillis;
  }

  /** A message was due at a frame that did not carry the values; the next one that does makes up for it. */
  get isLate(): boolean {
    return this.late;
  }

  get everyTicks(): number {
    return this.cadence.everyTicks;
  }

  /** Asks for another cycle from the next frame on. */
  setCycle(cycleMillis: number): void {
    this.cycleMillis = cycleMillis;
    this.cadence = frameCadence(cycleMillis, this.tickMillis);
  }

  isDue(header: FrameHeader): boolean {
    this.follow(header);
    return isDue(this.cadence, header);
  }

  /** Adds a reader, which gets this frame at once, whatever the cycle; one that resumes only if it is due. */
  add(reader: Reader, frame: Frame, isResumed: boolean): void {
    this.readers.add(reader);
    if (frame.header.number === 0 || this.isPaused) return;
    if (!frame.showsAll(this.references)) {
      this.late = true;
      this.gate?.reopen();
      return;
    }
    this.gate?.prime(frame);
    if (!isResumed || this.isDue(frame.header)) reader.offer(frame);
  }

  /** Sends what is due at a frame. */
  onFrame(frame: Frame): void {
    if (this.isPaused || this.readers.size === 0) return;
    // Asked of every frame: what is not asked for from time to time is carried no more.
    const isShown = frame.showsAll(this.references);
    const isLate = this.late && frame.header.reason !== Reason.scheduled;
    if (!this.isDue(frame.header) && !isLate) return;
    this.late = !isShown;
    if (!isShown) return;
    const isOpen = this.gate?.opensFor(frame) ?? true;
    for (const reader of this.readers) if (isOpen || reader.isBehind) reader.offer(frame);
  }

  /** The software frame may be changed while the simulation runs. */
  private follow(header: FrameHeader): void {
    const tickMillis = tickMillisOf(header);
    if (tickMillis === this.tickMillis) return;
    this.tickMillis = tickMillis;
    this.cadence = frameCadence(this.cycleMillis, tickMillis);
  }
}
