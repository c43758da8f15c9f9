// Events in frames of which nothing is sent: they are looked at when their client's turn comes, as long as the ring has them.
import type { Frame } from '../../frame/reader.js';
import { MOST_SLOTS } from '../../frame/ring.js';
import type { Source } from '../../source/source.js';
import { EventStream, type Stream } from './stream.js';

export class PassedFrames {
  /** Numbers of the frames that have come and that nobody has looked at, the oldest first. */
  private readonly numbers: number[] = [];
  /** Events that have not looked at the first of them; undefined before the first look. */
  private left: Iterator<EventStream> | undefined;
  private cost = 0;

  /** @param mostCost values and steps of expressions that are looked at in one frame. */
  constructor(
    private readonly source: Source,
    private readonly streams: () => Iterable<Stream>,
    private readonly mostCost: number,
  ) {}

  add(number: number): void {
    this.numbers.push(number);
    // The ring has the oldest no longer.
    if (this.numbers.length > MOST_SLOTS) this.endFirst();
  }

  clear(): void {
    this.numbers.length = 0;
    this.left = undefined;
    this.cost = 0;
  }

  /** Lets one event look at the oldest frame before a number; false when there is none. */
  lookNext(before: number): boolean {
    const [number] = this.numbers;
    if (number === undefined || number >= before) return false;
    // A past frame is the reader's own memory, and may be another one after each turn.
    // Procedures are called for the newest frame alone: they answer what holds now.
    this.look(number, () => this.source.past(number), false);
    return true;
  }

  /**
   * Lets one event look at the newest frame; false when all have.
   * @param mayAsk whether procedures are called.
   */
  lookAtNewest(frame: Frame, mayAsk: boolean): boolean {
    const { number } = frame.header;
    if (this.numbers[0] !== number) return false;
    this.look(number, () => frame, mayAsk);
    return true;
  }

  private look(number: number, frameOf: () => Frame | undefined, mayAsk: boolean): void {
    this.left ??= [...this.streams()].filter(isStartedEvent).values();
    const { value: event } = this.left.next();
    const frame = event && frameOf();
    if (!frame || this.cost > this.mostCost) {
      this.endFirst();
      return;
    }
    if (number < event.firstNumber) return;
    event.notice(frame, mayAsk);
    this.cost += event.cost;
  }

  private endFirst(): void {
    this.numbers.shift();
    this.left = undefined;
    this.cost = 0;
  }
}

const isStartedEvent = (stream: Stream): stream is EventStream => stream instanceof EventStream && stream.isStarted;
