// Two commands that make the same study at a time: the one that began first goes on, and the other one ends.
import { setTimeout as wait } from 'node:timers/promises';
import type { JobQueue } from './job-queue.js';
import type { Study } from './messages.js';

/** Another command answers within this time. */
const ANSWER_MILLIS = 300;
/** Commands that began within this time of each other began together. */
const TOGETHER_SECONDS = 2;
const MOST_ANSWERED = 1000;

export class Rivals {
  /** Whether another command goes on with the study. */
  found = false;
  /** Stops listening. */
  readonly close: () => void;
  private readonly answered = new Set<string>();
  private readonly giveWay: Promise<never>;

  /** @param study as this command tells of it now. */
  constructor(
    private readonly queue: Pick<JobQueue, 'announce' | 'hearStudies'>,
    private readonly study: () => Study,
  ) {
    let refuse: (error: Error) => void;
    this.giveWay = new Promise((_, reject) => {
      refuse = reject;
    });
    this.giveWay.catch(() => undefined);
    this.close = queue.hearStudies((other) => {
      const own = study();
      if (other.id !== own.id || other.asked === own.asked) return;
      this.answer(other);
      if (!isElder(other, own)) return;
      this.found = true;
      refuse(new Error('another command makes the same study at the moment: it goes on, and this one has ended'));
    });
  }

  /** Resolves when nobody makes the study. Rejects with one sentence when somebody does. */
  async none(over: AbortSignal): Promise<void> {
    this.queue.announce(this.study());
    await this.unless(wait(ANSWER_MILLIS, undefined, { signal: over }).catch(() => undefined));
  }

  /** As `work`; rejects as soon as another command goes on with the study. */
  unless<Result>(work: Promise<Result>): Promise<Result> {
    return Promise.race([work, this.giveWay]);
  }

  /** Each is answered once, at once. */
  private answer({ asked }: Study): void {
    if (this.answered.has(asked) || this.answered.size === MOST_ANSWERED) return;
    this.answered.add(asked);
    this.queue.announce(this.study());
  }
}

function isElder(one: Study, other: Study): boolean {
  const seconds = one.seconds - other.seconds;
  return Math.abs(seconds) > TOGETHER_SECONDS ? seconds > 0 : one.asked < other.asked;
}
