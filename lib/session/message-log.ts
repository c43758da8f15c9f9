// The latest messages of the simulation and of the server, numbered, for clients that come later or follow them.
import { noteLeftOut } from '../bounds/left-out.js';
import type { SimMessage } from '../source/source.js';

/** How many are kept, and how many characters of each. */
export const MOST_MESSAGES = 1000;
const LONGEST_MESSAGE = 4000;

export interface NumberedMessage extends SimMessage {
  /** Counts the messages from 1. */
  readonly number: number;
}

export class MessageLog {
  private readonly kept: NumberedMessage[] = [];
  private readonly listeners = new Set<() => void>();
  private lastNumber = 0;

  add({ level, text, timeSeconds }: SimMessage): void {
    const message = { number: ++this.lastNumber, level, text: text.slice(0, LONGEST_MESSAGE), timeSeconds };
    this.kept.push(message);
    if (this.kept.length > MOST_MESSAGES) {
      this.kept.shift();
      noteLeftOut('kept_messages');
    }
    for (const listener of [...this.listeners]) listener();
  }

  /** The latest `count` messages with a number above `after`, oldest first. */
  latest(count: number, after = 0): readonly NumberedMessage[] {
    return this.kept.slice(-count).filter(({ number }) => number > after);
  }

  /** The message with this number; undefined if it is not kept. */
  numbered(number: number): NumberedMessage | undefined {
    return this.kept[number - this.lastNumber + this.kept.length - 1];
  }

  /** Number of the latest message; 0 before the first. */
  get latestNumber(): number {
    return this.lastNumber;
  }

  /** Calls for every message from now on, until the returned function is called. */
  follow(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
