// Answers questions about recorded runs, each on a thread of its own, one after another, in bounded time and memory.

import { resolve } from 'node:path';
import { startThread } from '../start-thread.js';

import type { RunQuestion } from './run-answers.js';

/** What a question's thread says. */
export type RunAnswered = { readonly result: object } | { readonly error: string };

/** How long a question may take, and how many wait. */
const LONGEST_MILLIS = 60_000;
const MOST_WAITING = 16;
const MEMORY = { maxOldGenerationSizeMb: 512 };

export class RunDesk {
  private readonly directories: readonly string[];
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** @param directories whose files may be read, with those below. */
  constructor(directories: readonly string[]) {
    this.directories = directories.map((directory) => resolve(directory));
  }

  /** Rejects with an Error of one sentence for what cannot be answered. */
  async ask(question: RunQuestion): Promise<object> {
    if (this.waiting >= MOST_WAITING) throw new Error('too much is asked of recorded runs at a time; ask again later');
    this.waiting++;
    const answer = this.last.then(() => this.answer(question));
    this.last = answer.catch(() => undefined);
    try {
      return await answer;
    } finally {
      this.waiting--;
    }
  }

  private async answer(question: RunQuestion): Promise<object> {
    const worker = startThread(new URL('./run-answer-worker.js', import.meta.url), {
      workerData: { directories: this.directories, question },
      resourceLimits: MEMORY,
    });
    let timer: NodeJS.Timeout | undefined;
    try {
      const answered = await new Promise<RunAnswered>((done, failed) => {
        timer = setTimeout(() => failed(new Error('this took too long; ask for less')), LONGEST_MILLIS);
        worker.once('message', done);
        worker.once('error', failed);
      });
      if ('error' in answered) throw new Error(answered.error);
      return answered.result;
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  }
}
