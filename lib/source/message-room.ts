// Bounds what a simulation says on its way to the server: a job may say something half a million times a second.
import type { SimMessage } from './source.js';

/** So many messages, and characters, at once; */
const MOST_AT_ONCE = 5_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** and so much of that again each second. */
const PART_A_SECOND = 1 / 5;
/** Once something has been left out, so much room must be free: else a line about it would follow each message. */
const PART_TO_GO_ON = 1 / 20;

export class MessageRoom {
  /** The part of the room that is free. */
  private free = 1;
  private seenMillis: number;
  private leftOut = 0;
  /** When something was left out last. */
  private leftOutSeconds = 0;

  constructor(
    private readonly nowMillis: () => number,
    private readonly send: (message: SimMessage) => void,
  ) {
    this.seenMillis = nowMillis();
  }

  /** Sends a message, or leaves it out; how many were left out is told before the next one, and by `end`. */
  say(message: SimMessage): void {
    const nowMillis = this.nowMillis();
    this.free = Math.min(1, this.free + (PART_A_SECOND * (nowMillis - this.seenMillis)) / 1000);
    this.seenMillis = nowMillis;
    const needed = 1 / MOST_AT_ONCE + message.text.length / MOST_CHARACTERS;
    // A message that is longer than the whole room still goes alone.
    if (this.free < (this.leftOut > 0 ? PART_TO_GO_ON : 0) || this.free <= 0) {
      this.leftOut++;
      this.leftOutSeconds = message.timeSeconds;
      return;
    }
    this.end();
    this.free -= needed;
    this.send(message);
  }

  /** Tells how many were left out since this was last told. */
  end(): void {
    if (this.leftOut === 0) return;
    const text = `${this.leftOut} messages of the simulation were left out: there were more than ${MOST_AT_ONCE * PART_A_SECOND} a second`;
    this.leftOut = 0;
    this.send({ level: 'warning', text, timeSeconds: this.leftOutSeconds });
  }
}
