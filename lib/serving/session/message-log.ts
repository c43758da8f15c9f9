// The latest messages of the simulation and of the server, numbered, for clients that come later or follow them.
import type { SimMessage, Source } from '../../source/source.js';

/** How many are kept, how many of those that clients have written, and how many characters of each. */
export const MOST_MESSAGES = 1000;
const MOST_OF_CLIENTS = 500;
const LONGEST_MESSAGE = 4000;

export interface NumberedMessage extends SimMessage {
  /** Counts the messages from 1. */
  readonly number: number;
}

export class MessageLog {
  /** By their numbers; a client's may have gone before older ones of the simulation. */
  private readonly kept: NumberedMessage[] = [];
  private readonly listeners = new Set<() => void>();
  private lastNumber = 0;
  private ofClients = 0;

  /** What a source says from now on. */
  static of(source: Pick<Source, 'onMessage'>): MessageLog {
    const log = new MessageLog();
    source.onMessage((message) => log.add(message));
    return log;
  }

  add({ level, text, timeSeconds, isClients }: SimMessage): void {
    const number = ++this.lastNumber;
    const message = {
      number,
      level,
      text: text.slice(0, LONGEST_MESSAGE),
      timeSeconds,
      ...(isClients && { isClients }),
    };
    this.kept.push(message);
    if (isClients) this.ofClients++;
    // Clients that print much do not push out what the simulation has said.
    if (this.ofClients > MOST_OF_CLIENTS) this.leaveOut(this.kept.findIndex((one) => one.isClients));
    else if (this.kept.length > MOST_MESSAGES) this.leaveOut(0);
    for (const listener of [...this.listeners]) listener();
  }

  private leaveOut(index: number): void {
    const [gone] = this.kept.splice(index, 1);
    if (gone?.isClients) this.ofClients--;
  }

  /** The latest `count` messages with a number above `after`, oldest first. */
  latest(count: number, after = 0): readonly NumberedMessage[] {
    return this.kept.slice(-count).filter(({ number }) => number > after);
  }

  /** The first message that is kept from this number on. */
  from(number: number): NumberedMessage | undefined {
    let [low, high] = [0, this.kept.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.kept[middle] as NumberedMessage).number < number) low = middle + 1;
      else high = middle;
    }
    return this.kept[low];
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
