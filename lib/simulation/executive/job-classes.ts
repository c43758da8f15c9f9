// When jobs run: in classes at simulation times, or at a moment of the run.
import { MOMENTS, type Moment } from './moments.js';
import type { JobClass, JobOptions } from './simulation.js';

/** The order in which jobs run that are due at the same time. Trick: job_class_order */
const CLASSES: readonly JobClass[] = [
  'environment',
  'sensor',
  'scheduled',
  'effector',
  'integration',
  'post_integration',
];
/** Trick's default phase number. */
export const DEFAULT_ORDER = 60_000;
/** One more than the largest. */
const ORDERS = 65_536;

/** The classes of jobs as a run meets them: its start, its ticks, its freezes, its end. */
export const JOB_CLASSES: readonly (JobClass | Moment)[] = [
  'initialization',
  ...CLASSES,
  ...MOMENTS.filter((moment) => moment !== 'initialization'),
];

/** A job and when it runs; jobs of a class run by rank. */
export interface JobPlace {
  readonly name: string;
  readonly class: JobClass | Moment;
  readonly rank: number;
}

/** Whether jobs of a rank run after the recorders. */
export const isMover = (rank: number): boolean => rank >= CLASSES.indexOf('integration') * ORDERS;

/** Throws a RangeError for a class or an order that does not exist. */
export function rankOf(name: string, { class: jobClass = 'scheduled', order = DEFAULT_ORDER }: JobOptions): number {
  const place = CLASSES.indexOf(jobClass);
  if (place < 0) throw new RangeError(`job ${name} has no class ${jobClass}; there are ${CLASSES.join(', ')}`);
  if (!(Number.isInteger(order) && order >= 0 && order < ORDERS)) {
    throw new RangeError(`job ${name} needs an order from 0 to ${ORDERS - 1}, not ${order}`);
  }
  return place * ORDERS + order;
}
