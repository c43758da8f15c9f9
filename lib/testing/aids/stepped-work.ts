// Work in turns that come when a test says so.
import { turn } from './http-exchange.js';

export class SteppedWork<T> {
  private goOn: (() => void) | undefined;
  private begun: Promise<void> | undefined;
  private fault: Error | undefined;
  private result: { readonly value: T } | undefined;

  constructor(private readonly start: (turn: () => Promise<void>) => Promise<T>) {}

  /** Begins the work, or gives it its next turn; resolves when it waits for another or is done. Rejects with its error. */
  async next(): Promise<{ readonly value: T } | undefined> {
    this.begun ??= this.start(() => new Promise((resolve) => (this.goOn = resolve))).then(
      (value) => {
        this.result = { value };
      },
      (error: Error) => {
        this.fault = error;
      },
    );
    this.goOn?.();
    await turn();
    if (this.fault) throw this.fault;
    return this.result;
  }

  /** Gives it turns until it is done. */
  async end(): Promise<{ readonly turns: number; readonly value: T }> {
    for (let turns = 1; ; turns++) {
      const result = await this.next();
      if (result) return { turns, value: result.value };
    }
  }
}
