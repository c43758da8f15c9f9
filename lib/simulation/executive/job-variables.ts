// The times of jobs as variables, for a simulation that asks for them.
import { double, longLong, struct, text } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import type { State } from '../../model/state/state.js';
import type { Vitals } from './vitals.js';

const MOST_JOBS = 64;

const JobTime = struct('JobTime', {
  name: text(63),
  calls: longLong({ about: 'how often it has run' }),
  mean: double({ units: 'ms', about: 'wall time of a run' }),
  worst: double({ units: 'ms', about: 'wall time of the longest run' }),
});

/** Adds `job_times.jobs`: the first 64 jobs in the order in which they were added. */
export function addJobVariables(state: State, vitals: Vitals): void {
  state.addObject('job_times').mirror('jobs', vector(JobTime, MOST_JOBS), {
    get: () =>
      vitals.jobs.slice(0, MOST_JOBS).map(({ name, calls, totalMillis, worstMillis }) => ({
        name,
        calls: BigInt(calls),
        mean: calls === 0 ? 0 : totalMillis / calls,
        worst: worstMillis,
      })),
  });
}
