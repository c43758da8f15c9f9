// The list of a simulation's jobs as Trick writes it, which its tools for job times read. Trick: S_job_execution
import { formatDouble } from '../../model/state/number-text.js';

/** A job as the frame log knows it. */
export interface LoggedJob {
  /** The number by which the executive calls it. */
  readonly number: number;
  readonly name: string;
  /** Trick: job_class_name */
  readonly jobClass: string;
  /** Its place among the jobs of its class that are due at the same time. Trick: phase */
  readonly order: number;
  /** Missing for a job that runs at a moment of the run. */
  readonly cycleSeconds?: number;
  readonly startSeconds?: number;
  /** Whether it is work of varwire itself and not of the simulation. Trick: the tag TRK */
  readonly isOwn?: boolean;
  /** Whether its number still means this job. */
  readonly isThere?: () => boolean;
}

/** A job with the text by which files refer to it: the number of its object, and its own, `2.03`. Trick: frame_id */
export interface NumberedJob extends LoggedJob {
  readonly id: string;
}

const MOST_JOBS_OF_OBJECT = 99;

/** Jobs whose names begin with the same object have ids of one number before the point. */
export function numbered(jobs: readonly LoggedJob[]): NumberedJob[] {
  const objects = new Map<string, { number: number; jobs: number }>();
  let count = 0;
  return jobs.map((job) => {
    const objectName = job.name.split('.', 1)[0] as string;
    let object = objects.get(objectName);
    if (!object || object.jobs === MOST_JOBS_OF_OBJECT) {
      object = { number: ++count, jobs: 0 };
      objects.set(objectName, object);
    }
    object.jobs++;
    return { ...job, id: `${object.number}.${`${object.jobs}`.padStart(2, '0')}` };
  });
}

const SECTIONS: readonly (readonly [title: string, classes: RegExp])[] = [
  ['Initialization', /^initialization$/],
  ['Scheduled Loop', /^(?!initialization|top_of_frame|end_of_frame|freeze|unfreeze|shutdown)/],
  ['Top of Frame', /^top_of_frame$/],
  ['End of Frame', /^end_of_frame$/],
  ['Freeze Loop', /^(freeze|freeze_init|unfreeze)$/],
  ['Shutdown', /^shutdown$/],
];
const RULE = '='.repeat(97);

export const JOB_LIST_HEAD = 'Thread information\n';
/** All jobs run on one. Trick: Threads::dump */
const THREAD = `Trick::Threads (Master)
    process_type = scheduled
    cpus = none assigned
`;

/** Of which Trick the logs are; those who read them look for it there. Trick: S_run_summary */
export const RUN_SUMMARY = 'Trick version = 17\n';

/** The text of S_job_execution. */
export function jobList(jobs: readonly NumberedJob[]): string {
  const sections = SECTIONS.map(([title, classes]) => {
    const lines = jobs.filter(({ jobClass }) => classes.test(jobClass)).map(lineOf);
    return `${title}:\n${lines.join('')}\n${RULE}\n`;
  });
  const heading = 'Enabled | PID |Class                    | Phase |  Start   |  Cycle   |   Stop   | ID  | Job Name\n';
  return `${JOB_LIST_HEAD}${THREAD}\nJob information\n${heading}${RULE}\n${sections.join('')}`;
}

/** Trick's time for a job that runs to the end. */
const NO_STOP = '1e+37';

function lineOf({ jobClass, order, cycleSeconds, startSeconds = 0, id, name }: NumberedJob): string {
  const times =
    cycleSeconds === undefined
      ? ['', '', '']
      : [startSeconds.toFixed(6), formatDouble(Number(cycleSeconds.toPrecision(6))), NO_STOP];
  const [start, cycle, stop] = times.map((text) => text.padStart(8));
  const cells = [
    `${'1'.padStart(7)} `,
    ` ${'0'.padStart(3)} `,
    jobClass.padEnd(25),
    ` ${`${order}`.padEnd(5)} `,
    ` ${start} `,
    ` ${cycle} `,
    ` ${stop} `,
    ` ${id.padStart(5)} `,
    ` ${name.replaceAll(/[|\r\n]/g, '_')}`,
  ];
  return `${cells.join('|')}\n`;
}
