// schedule.list and schedule.graph: classes of jobs are schedules, and jobs are their systems.
import { z } from 'zod';
import { JOB_CLASSES, type JobPlace, type Source } from '../../source/source.js';
import { unknownSchedule } from './brp-error.js';
import { operation } from './operation.js';

const labels = z.array(z.string());

export const scheduleList = operation({
  about: "The classes of the simulation's jobs, in the order in which they run; those without a job are empty.",
  params: z.object({}),
  ignoresParams: true,
  result: z.object({
    schedule_labels: labels,
    unavailable_schedule_labels: labels,
    empty_schedule_labels: labels,
  }),
  run: ({ source }) => {
    const used = new Set(jobsOf(source).map((job) => job.class));
    return {
      schedule_labels: JOB_CLASSES.filter((label) => used.has(label)),
      unavailable_schedule_labels: [],
      empty_schedule_labels: JOB_CLASSES.filter((label) => !used.has(label)),
    };
  },
});

export const scheduleGraph = operation({
  about: 'The jobs of a class as systems; each depends on the one that runs before it.',
  params: z.object({ schedule_label: z.string().max(256).describe('A label of schedule.list') }),
  result: z.object({ schedule_data: z.looseObject({ name: z.string() }) }),
  run: ({ source }, { schedule_label: label }) => {
    if (!JOB_CLASSES.some((known) => known === label)) throw unknownSchedule(label);
    const jobs = jobsOf(source).filter((job) => job.class === label);
    return {
      schedule_data: {
        name: label,
        systems: jobs.map(systemOf),
        system_sets: [],
        hierarchy: [],
        dependency: jobs.slice(1).map((_, index) => [{ System: index }, { System: index + 1 }]),
        components: [],
        conflicts: [],
      },
    };
  },
});

const jobsOf = ({ schedule = [] }: Source): readonly JobPlace[] => schedule;

/** What a job reads and writes is not known, but no other one runs at the same time: Bevy calls that exclusive. */
const systemOf = ({ name }: JobPlace): object => ({
  name,
  apply_deferred: false,
  exclusive: true,
  deferred: false,
  combined_access: NO_ACCESS,
  filtered_accesses: [],
});

const NO_ACCESS = {
  read_and_writes: [],
  writes: [],
  read_and_writes_inverted: false,
  writes_inverted: false,
  archetypal: [],
};
