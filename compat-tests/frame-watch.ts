// Two bystanders, a Trick session and an event stream, that must get every frame whatever other clients do.

import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { EventStream } from './http-client.js';
import { WireClient } from './wire-client.js';

const COUNTER = 'trick_sys.sched.frame_count';
const FRAME_MILLIS = 10;
/** The requests of the attackers are those of another client. Not every system has further addresses of its own. */
const FROM = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};

export class FrameWatch {
  private readonly fromTrick: number[] = [];
  private readonly fromEvents: number[] = [];
  private readonly reading: Promise<void>[] = [];
  /** Why one of them could not continue. */
  private broken = '';
  private isClosing = false;
  private advanced: () => void = () => undefined;

  private constructor(
    private readonly trick: WireClient,
    private readonly events: EventStream,
  ) {}

  static async open(port: number): Promise<FrameWatch> {
    const trick = await WireClient.tcp(port);
    trick.send(`trick.var_sync(2)\ntrick.var_set_copy_mode(2)\ntrick.var_add("${COUNTER}")\n`);
    const watch = new FrameWatch(trick, await EventStream.subscribe(port, [COUNTER], FRAME_MILLIS, FROM));
    watch.reading.push(watch.readTrick(), watch.readEvents());
    await watch.passes(3);
    return watch;
  }

  /** Resolves when both have seen that many more frames. */
  passes(frames: number): Promise<void> {
    const goals = [this.fromTrick.length + frames, this.fromEvents.length + frames] as const;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`${frames} frames have not come: ${this.summary}`)),
        PATIENCE_MILLIS,
      );
      this.advanced = () => {
        if (this.fromTrick.length < goals[0] || this.fromEvents.length < goals[1]) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Frames that one of them has missed or got twice, such as `trick: 41 after 39`. */
  get gaps(): string[] {
    return [...gapsIn('trick', this.fromTrick), ...gapsIn('events', this.fromEvents)];
  }

  /** How many frames the one that missed more has missed; infinite when one has got a frame twice. */
  get missed(): number {
    return Math.max(missedIn(this.fromTrick), missedIn(this.fromEvents));
  }

  /** How many frames the one that saw fewer has seen. */
  get seen(): number {
    return Math.min(this.fromTrick.length, this.fromEvents.length);
  }

  get summary(): string {
    return `trick ${this.fromTrick.length} up to ${this.fromTrick.at(-1)}, events ${this.fromEvents.length} up to ${this.fromEvents.at(-1)}${this.broken}`;
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.trick.drop();
    this.events.close();
    await Promise.all(this.reading);
  }

  private async readTrick(): Promise<void> {
    await this.untilClosed(async () => {
      for (;;) this.saw(this.fromTrick, Number((await this.trick.line()).split('\t')[1]));
    });
  }

  private async readEvents(): Promise<void> {
    await this.untilClosed(async () => {
      for await (const { values } of this.events.messages()) this.saw(this.fromEvents, Number(values[COUNTER]));
    });
  }

  private saw(frames: number[], frame: number): void {
    frames.push(frame);
    this.advanced();
  }

  private async untilClosed(read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (error) {
      if (!this.isClosing) this.broken += `; ${(error as Error).message}`;
    }
  }
}

const missedIn = (frames: readonly number[]): number =>
  frames.slice(1).reduce((sum, frame, k) => {
    const step = frame - (frames[k] as number);
    return sum + (step > 0 ? step - 1 : Number.POSITIVE_INFINITY);
  }, 0);

function gapsIn(who: string, frames: readonly number[]): string[] {
  return frames.flatMap((frame, k) => {
    const before = frames[k - 1];
    return before === undefined || frame === before + 1 ? [] : [`${who}: ${frame} after ${before}`];
  });
}
