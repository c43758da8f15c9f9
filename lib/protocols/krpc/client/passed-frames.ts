// Events in frames of which nothing is sent: they are looked at in their client's turns, as long as the ring has them.
import type { Frame } from '../../../model/frame/reader.js';
import { MOST_SLOTS } from '../../../model/frame/ring.js';
import type { Source } from '../../../source/source.js';
import { EventStream, type Stream } from './stream.js';

export class PassedFrames {
  /** Numbers of the frames that have come and that nobody has looked at, the oldest first. */
  private readonly numbers: number[] = [];

  /**
   * @param turn resolves in the client's turn.
   * @param mostCost values and steps of expressions that are looked at in one frame.
   */
  constructor(
    private readonly source: Source,
    private readonly streams: () => Iterable<Stream>,
    private readonly turn: () => Promise<void>,
    private readonly mostCost: number,
  ) {}

  add(number: number): void {
    this.numbers.push(number);
    // The ring has the oldest no longer.
    if (this.numbers.length > MOST_SLOTS) this.numbers.shift();
  }

  clear(): void {
    this.numbers.length = 0;
  }

  /** Whether a frame before this one waits. */
  hasBefore(number: number): boolean {
    const [first] = this.numbers;
    return first !== undefined && first < number;
  }

  /**
   * Lets the events look at the frames up to a number, one event in each turn.
   * @param mayAsk whether procedures are called for the last of these frames.
   */
  async lookUpTo(number: number, mayAsk: boolean): Promise<void> {
    while (this.hasBefore(number + 1)) await this.lookAtFirst(mayAsk && !this.hasBefore(number));
  }

  private async lookAtFirst(mayAsk: boolean): Promise<void> {
    const [number] = this.numbers as [number];
    let cost = 0;
    for (const event of [...this.streams()].filter(isStartedEvent)) {
      await this.turn();
      const isLeft = this.numbers[0] === number;
      const frame = isLeft && this.frameOf(number);
      if (!frame || cost > this.mostCost) break;
      if (number < event.firstNumber) continue;
      event.notice(frame, mayAsk);
      cost += event.cost;
    }
    if (this.numbers[0] === number) this.numbers.shift();
  }

  /** A past frame is the reader's own memory, and may be another one after each turn. */
  private frameOf(number: number): Frame | undefined {
    const { frame } = this.source;
    return frame.header.number === number ? frame : this.source.past(number);
  }
}

const isStartedEvent = (stream: Stream): stream is EventStream => stream instanceof EventStream && stream.isStarted;
