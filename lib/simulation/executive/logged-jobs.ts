// The jobs of a simulation, as its frame log lists them.
import { Mode } from '../../model/frame/header.js';
import { FrameLog, type Logged } from '../recording/frame-log.js';
import type { LoggedJob } from '../recording/job-list.js';
import type { Executive } from './executive.js';
import type { Moments } from './moments.js';
import type { Vitals } from './vitals.js';

export function frameLogOf(
  running: Omit<Logged, 'jobs' | 'frameSeconds'> & {
    readonly executive: Executive;
    readonly moments: Moments;
    readonly vitals: Vitals;
  },
): FrameLog {
  const { files, clientFiles, nowMillis, executive, moments, vitals } = running;
  const jobs = () =>
    loggedJobs(executive, moments).map((job) => {
      const generation = vitals.generationOf(job.number);
      return { ...job, isThere: () => vitals.generationOf(job.number) === generation };
    });
  const frameSeconds = () => executive.softwareFrameTics / executive.ticsPerSecond;
  return new FrameLog({ files, clientFiles, nowMillis, jobs, frameSeconds, say: (...said) => running.say(...said) });
}

/** Whether jobs that run now belong to a frame. */
export const isCyclic = ({ mode }: Executive): boolean => mode === Mode.run || mode === Mode.step;

/** All jobs that have a number, those that integrate behind the others, as they run. */
function loggedJobs({ jobs, movers, ticsPerSecond }: Executive, moments: Moments): readonly LoggedJob[] {
  const cyclic = [...jobs.all, ...movers.all].flatMap(
    ({ number = 0, name, jobClass = 'scheduled', order = 0, periodTics, gridTics }) => ({
      number,
      name,
      jobClass,
      order,
      cycleSeconds: periodTics / ticsPerSecond,
      startSeconds: gridTics / ticsPerSecond,
    }),
  );
  const others = moments.all.map(({ number = 0, name, moment, order = 0 }) => ({
    number,
    name,
    jobClass: moment,
    order,
  }));
  return [...cyclic, ...others].filter(({ number }) => number > 0);
}
