// The messages of one client, which begin in their order: a long one waits until there is room for it.
import type { Account } from './account.js';
import { type LongMessages, SHORT_BYTES } from './long-messages.js';

/** Memory that a message's values take for each of its bytes, about. */
const MEMORY_PER_BYTE = 8;

/** A long message that is carried out or waits. */
interface Place {
  readonly bytes: number;
  leave(): void;
}

export class MessageRoom {
  private readonly places = new Set<Place>();
  private entering: Promise<void> | undefined;

  /** @param onEntered called when messages have waited and none waits any more. */
  constructor(
    private readonly all: LongMessages,
    private readonly account: Account,
    private readonly signal: AbortSignal,
    private readonly onEntered: () => void = () => undefined,
  ) {}

  /** Whether a message waits; those that come later are behind it. */
  get isFull(): boolean {
    return this.entering !== undefined;
  }

  /** Carries out a message of so many bytes: at once if it is short and none waits. */
  async during<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes > SHORT_BYTES) return this.duringLong(bytes, work);
    if (this.entering) await this.entering;
    return work();
  }

  /**
   * Counts a wait for something that may never come; the returned function ends it. The client's long messages keep
   * nobody out any more, but their memory is counted. Throws an OverBoundError, and then nothing has changed.
   */
  park(): () => void {
    const { account } = this;
    const keptBytes = MEMORY_PER_BYTE * [...this.places].reduce((sum, { bytes }) => sum + bytes, 0);
    account.take('keptBytes', keptBytes);
    try {
      account.take('parked');
    } catch (error) {
      account.give('keptBytes', keptBytes);
      throw error;
    }
    for (const place of this.places) this.end(place);
    return () => {
      account.give('parked');
      account.give('keptBytes', keptBytes);
    };
  }

  private async duringLong<T>(bytes: number, work: () => Promise<T>): Promise<T> {
    const place: Place = { bytes, leave: () => undefined };
    const entering = this.entering ? this.entering.then(() => this.enter(place)) : this.enter(place);
    if (entering) {
      // Set before anything is awaited, so that the next message of the client stays behind this one.
      this.entering = entering;
      await entering;
    }
    this.places.add(place);
    try {
      const working = work();
      if (entering && this.entering === entering) {
        this.entering = undefined;
        this.onEntered();
      }
      return await working;
    } finally {
      this.end(place);
    }
  }

  /** Undefined when the message may begin now. */
  private enter(place: Place): Promise<void> | undefined {
    if (this.signal.aborted) return undefined;
    let hasBegun = false;
    let begin = (): void => {
      hasBegun = true;
    };
    place.leave = this.all.enter(this.account, place.bytes, () => begin());
    if (hasBegun) return undefined;
    return new Promise((resolve) => {
      begin = () => {
        this.signal.removeEventListener('abort', begin);
        resolve();
      };
      this.signal.addEventListener('abort', begin);
    });
  }

  private end(place: Place): void {
    if (this.places.delete(place)) place.leave();
  }
}
