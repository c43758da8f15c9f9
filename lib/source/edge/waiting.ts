// What an edge has asked for: until the answer has come, and the frame that shows it.
import type { Outcome } from '../../simulation/executive/request-queue.js';
import type { Answered } from './carrier.js';

/** Then the source may or may not have done it. */
const PATIENCE_MILLIS = 10_000;

interface Waiter {
  readonly text: string;
  readonly sinceMillis: number;
  /** The answer, whose frame has not been shown. */
  answer?: { readonly frame: number; readonly outcome: Outcome };
}

export class Waiting {
  private readonly waiters = new Map<number, Waiter>();

  constructor(
    private readonly settle: (id: number, outcome: Outcome) => void,
    private readonly nowMillis: () => number = () => performance.now(),
  ) {}

  /** @param text what is sent again on another connection: the source knows what it has answered. */
  add(id: number, text: string): void {
    this.waiters.set(id, { text, sinceMillis: this.nowMillis() });
  }

  /** What has no answer yet. */
  *texts(): Generator<string> {
    for (const { text, answer } of this.waiters.values()) if (!answer) yield text;
  }

  /** @param frame the number of its frame here. */
  answered({ id, error, value }: Answered, frame: number, latest: number): void {
    const waiter = this.waiters.get(id);
    if (!waiter) return;
    const outcome = (error === undefined ? { frame, ...(value !== undefined && { value }) } : { error }) as Outcome;
    if (error !== undefined || frame <= latest) this.end(id, outcome);
    else waiter.answer = { frame, outcome };
  }

  /** A frame is shown. */
  shown(number: number): void {
    for (const [id, { answer }] of this.waiters) if (answer && answer.frame <= number) this.end(id, answer.outcome);
  }

  /** Refuses what has waited too long. */
  check(): void {
    const now = this.nowMillis();
    for (const [id, { sinceMillis }] of this.waiters)
      if (now - sinceMillis > PATIENCE_MILLIS)
        this.end(id, { error: `no answer came within ${PATIENCE_MILLIS / 1000} s: it may have been done or not` });
  }

  refuse(id: number, error: string): void {
    this.end(id, { error });
  }

  fail(error: string): void {
    for (const id of this.waiters.keys()) this.end(id, { error });
  }

  private end(id: number, outcome: Outcome): void {
    this.waiters.delete(id);
    this.settle(id, outcome);
  }
}
