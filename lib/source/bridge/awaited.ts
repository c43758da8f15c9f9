// What waits for an update of a simulation elsewhere.
import { RequestError } from '../../simulation/executive/request.js';

/** A simulation that runs shows what it has taken in its next frame. */
const PATIENCE_MILLIS = 5000;

interface Waiter<Update> {
  readonly isShown: (update: Update) => boolean;
  readonly settle: (error?: Error) => void;
}

export class Awaited<Update> {
  private readonly waiters = new Set<Waiter<Update>>();

  /** Resolves at the first update that shows what is waited for. Rejects with a RequestError when none comes in time. */
  async until(isShown: (update: Update) => boolean): Promise<void> {
    if (!(await this.within(PATIENCE_MILLIS, isShown)))
      throw new RequestError(`no frame has shown it within ${PATIENCE_MILLIS} ms`);
  }

  /** Resolves to whether an update shows it in time. Rejects with a RequestError when none can come any longer. */
  within(millis: number, isShown: (update: Update) => boolean): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        this.waiters.delete(waiter);
        end();
      };
      const timer = setTimeout(() => settle(() => resolve(false)), millis);
      const waiter: Waiter<Update> = {
        isShown,
        settle: (error) => settle(() => (error ? reject(error) : resolve(true))),
      };
      this.waiters.add(waiter);
    });
  }

  came(update: Update): void {
    for (const waiter of this.waiters) if (waiter.isShown(update)) waiter.settle();
  }

  fail(sentence: string): void {
    for (const waiter of this.waiters) waiter.settle(new RequestError(sentence));
  }
}
