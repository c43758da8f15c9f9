// Bounds what a simulation says on its way to the server: a job may say something half a million times a second.
import { Rate } from '../model/bounds/rate.js';
import type { SimMessage } from './source.js';

/** So many messages, and characters, fill the room; a fifth of it is free again after a second. */
const MOST_AT_ONCE = 5_000;
const MOST_CHARACTERS = 4 * 1024 * 1024;
const PART_A_SECOND = 1 / 5;
/** A message that is longer than the whole room still goes alone. */
const LEAST = 1e-9;
/** Once something has been left out, so much room must be free: else a line about it would follow each message. */
const LEAST_TO_GO_ON = 1 / 20;

export class MessageRoom {
  private readonly room: Rate;
  private leftOut = 0;
  /** When something was left out last. */
  private leftOutSeconds = 0;

  constructor(
    nowMillis: () => number,
    private readonly send: (message: SimMessage) => void,
  ) {
    this.room = new Rate({ atOnce: 1, perSecond: PART_A_SECOND }, nowMillis);
  }

  /** Sends a message, or leaves it out; how many were left out is told before the next one, and by `end`. */
  say(message: SimMessage): void {
    const needed = 1 / MOST_AT_ONCE + message.text.length / MOST_CHARACTERS;
    if (!this.room.take(needed, this.leftOut > 0 ? LEAST_TO_GO_ON : LEAST)) {
      this.leftOut++;
      this.leftOutSeconds = message.timeSeconds;
      return;
    }
    this.end();
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
