// Updates that wait for an iterating program: a bounded buffer that drops and counts the oldest.

export class UpdateQueue<T> implements AsyncIterableIterator<T> {
  private readonly buffer: T[] = [];
  private readonly readers: { resolve: (result: IteratorResult<T>) => void; reject: (error: Error) => void }[] = [];
  private end: { readonly error?: Error | undefined } | undefined;
  private droppedCount = 0;

  /** @param onReturn called when the iterating loop is left. */
  constructor(
    private readonly capacity: number,
    private readonly onReturn: () => void,
  ) {}

  /** Updates that were thrown away because nobody read them in time. */
  get dropped(): number {
    return this.droppedCount;
  }

  push(update: T): void {
    if (this.end) return;
    const reader = this.readers.shift();
    if (reader) reader.resolve({ value: update, done: false });
    else this.keep(update);
  }

  private keep(update: T): void {
    this.buffer.push(update);
    if (this.buffer.length <= this.capacity) return;
    this.buffer.shift();
    this.droppedCount++;
  }

  /** What is in the buffer can still be read; then the iteration ends, or fails with the error. */
  finish(error?: Error): void {
    if (this.end) return;
    this.end = { error };
    for (const reader of this.readers.splice(0)) {
      if (error) reader.reject(error);
      else reader.resolve({ value: undefined, done: true });
    }
  }

  next(): Promise<IteratorResult<T>> {
    if (this.buffer.length > 0) return Promise.resolve({ value: this.buffer.shift() as T, done: false });
    if (!this.end) return new Promise((resolve, reject) => this.readers.push({ resolve, reject }));
    return this.end.error ? Promise.reject(this.end.error) : Promise.resolve({ value: undefined, done: true });
  }

  return(): Promise<IteratorResult<T>> {
    this.buffer.length = 0;
    this.onReturn();
    this.finish();
    return Promise.resolve({ value: undefined, done: true });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
