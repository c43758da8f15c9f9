// Calls a job, or a function of an event, by name.
import { thrownText } from '../../model/state/thrown.js';
import type { Executive } from './executive.js';
import { callOfEvent } from './model-events.js';
import { FunctionError } from './request.js';

export interface Calling {
  readonly executive: Pick<Executive, 'callJob' | 'timeSeconds'>;
  /** Functions of the simulation's events by name. */
  readonly eventCalls: ReadonlyMap<string, () => unknown>;
}

/** Whether it returned something other than 0; undefined when there is none. Throws a FunctionError with what it throws. */
export function callJob({ executive, eventCalls }: Calling, job: string): boolean | undefined {
  const ofEvent = eventCalls.get(job);
  try {
    if (ofEvent) return callOfEvent(ofEvent);
    return executive.callJob({ job, instance: 1 });
  } catch (error) {
    throw new FunctionError(thrownText(error), { cause: error });
  }
}
