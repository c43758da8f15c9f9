// Work that a method of an event leaves to others, while the block that calls it waits.
import type { Value } from '../../../model/state/read.js';
import type { Request } from '../../../source/source.js';
import { Errand, type Run } from '../../python/index.js';
import type { TrickEvent } from './event.js';

/** Makes a request to the simulation; gives what it answers, or why it refuses. */
export type Asking = (request: Request) => Run<{ readonly value: Value | undefined } | { readonly refusal: string }>;

/** Runs an event's actions now. */
export class FireErrand extends Errand {
  constructor(readonly event: TrickEvent) {
    super();
  }
}

/** Asks the simulation for a job's cycle. */
export class JobErrand extends Errand {
  /** Simulation time between two calls of the job in seconds; undefined when there is no such job. */
  cycleSeconds: number | undefined;

  constructor(readonly job: string) {
    super();
  }

  get request(): Request {
    return { kind: 'job', choice: { job: this.job, instance: 1 } };
  }
}
