// A promise that calls back as soon as it is answered, for callers on a thread that never returns to its event loop.

type Outcome<T> = { readonly value: T } | { readonly error: unknown };

export class Answered<T> extends Promise<T> {
  private outcome: Outcome<T> | undefined;
  private readonly waiting: ((outcome: Outcome<T>) => void)[] = [];

  /** What follows it is an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor() {
    super(() => undefined);
  }

  settle(outcome: Outcome<T>): void {
    this.outcome = outcome;
    for (const call of this.waiting.splice(0)) call(outcome);
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = T, B = never>(
    answered?: ((value: T) => A | PromiseLike<A>) | null,
    failed?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return new Promise((resolve, reject) => {
      const call = (outcome: Outcome<T>): void => {
        try {
          if ('value' in outcome) resolve(answered ? answered(outcome.value) : (outcome.value as never));
          else if (failed) resolve(failed(outcome.error));
          else reject(outcome.error as Error);
        } catch (error) {
          reject(error as Error);
        }
      };
      if (this.outcome) call(this.outcome);
      else this.waiting.push(call);
    });
  }
}
