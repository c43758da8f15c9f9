// Work that a method of an event leaves to others, while the block that calls it waits.
import type { Value } from '../../../model/state/read.js';
import type { EventOrder, Request } from '../../../source/source.js';
import { Errand, type Run, ScriptError } from '../../python/index.js';
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

/** Tells an event of a simulation elsewhere what to do. */
export class OrderErrand extends Errand {
  /** Why it was not done. */
  refusal: string | undefined;

  constructor(
    readonly event: TrickEvent,
    readonly order: EventOrder,
  ) {
    super();
  }
}

/** Throws a ScriptError when it is refused. */
export function* ordering(event: TrickEvent, order: EventOrder): Run<void> {
  const errand = new OrderErrand(event, order);
  yield errand;
  if (errand.refusal !== undefined) throw new ScriptError('RuntimeError', errand.refusal);
}
