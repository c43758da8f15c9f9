// What a simulation's thread is doing, in shared memory that another thread can read while this one is busy.

import type { Figures } from '../../model/state/fair-share.js';
import { DISK_QUOTA_WORDS, quotaFigures } from '../files/disk-quota.js';
import { JOB_CLASSES, type JobPlace } from './job-classes.js';
import { SHARED, SHARED_BYTES, type Shared, SharedFigures } from './shared-figures.js';

const TURNS = 0;
const BUSY_WITH = 1;
const REQUEST_OVERRUNS = 2;
const THREAD = 3;
const WORDS = 4;
/** Later jobs have no name in the vitals. */
const MOST_NAMES = 256;
const NAME_BYTES = 64;
/** Numbers for each job: how often it has run, the milliseconds of all its runs, and those of its longest run. */
const TIMES = 3;
const TIMES_BYTES = MOST_NAMES * TIMES * 8;
/** Numbers for each job: its class, and its rank. */
const PLACES = 2;
const PLACES_AT = TIMES_BYTES + 4 * WORDS;
const NAMES_AT = PLACES_AT + 4 * MOST_NAMES * PLACES;
const FIGURES_AT = NAMES_AT + MOST_NAMES * NAME_BYTES;
const QUOTA_AT = FIGURES_AT + SHARED_BYTES;

const NOTHING = 0;
const REQUEST = -1;
const NAMELESS_JOB = -2;

/** How long a job takes in wall time, of which its thread may have had a part only. */
export interface JobTime {
  readonly name: string;
  /** How often it has run. */
  readonly calls: number;
  readonly totalMillis: number;
  readonly worstMillis: number;
}

export class Vitals {
  private readonly times: Float64Array;
  private readonly words: Int32Array;
  private readonly places: Int32Array;
  private readonly names: Uint8Array;
  /** The counters of the disk quota. */
  readonly quotaWords: Int32Array;
  private readonly isTaken: boolean[] = [];
  /** How many jobs each number has stood for. */
  private readonly generations: number[] = [];

  /** @param buffer the buffer of vitals on another thread. */
  constructor(readonly buffer = new SharedArrayBuffer(QUOTA_AT + 4 * DISK_QUOTA_WORDS)) {
    this.times = new Float64Array(buffer, 0, MOST_NAMES * TIMES);
    this.words = new Int32Array(buffer, TIMES_BYTES, WORDS);
    this.places = new Int32Array(buffer, PLACES_AT, MOST_NAMES * PLACES);
    this.names = new Uint8Array(buffer, NAMES_AT, MOST_NAMES * NAME_BYTES);
    this.quotaWords = new Int32Array(buffer, QUOTA_AT, DISK_QUOTA_WORDS);
  }

  /** The jobs that have a name here, as far as their figures have come to this thread. */
  get jobs(): readonly JobTime[] {
    const found: JobTime[] = [];
    for (let number = 1; number <= MOST_NAMES; number++) if (this.hasName(number)) found.push(this.timeOf(number));
    return found;
  }

  /** The jobs that have a name here, in the order in which they run. */
  get schedule(): readonly JobPlace[] {
    const found: JobPlace[] = [];
    for (let index = 0; index < MOST_NAMES; index++) {
      const name = this.nameAt(index + 1);
      const [place = 0, rank = 0] = this.places.subarray(index * PLACES);
      if (name !== '') found.push({ name, class: JOB_CLASSES[place] ?? 'scheduled', rank });
    }
    const placeOf = (job: JobPlace): number => JOB_CLASSES.indexOf(job.class);
    return found.sort((one, other) => placeOf(one) - placeOf(other) || one.rank - other.rank);
  }

  /** Number of turns that have ended; wraps. */
  get turns(): number {
    return Atomics.load(this.words, TURNS);
  }

  /** Number of frames that ended late because of clients' requests. */
  get requestOverruns(): number {
    return Atomics.load(this.words, REQUEST_OVERRUNS);
  }

  /** What clients hold of one of the simulation's totals. */
  figuresOf(what: Shared): Figures {
    return new SharedFigures(new Float64Array(this.buffer, FIGURES_AT + 16 * SHARED.indexOf(what), 2));
  }

  /** What clients hold of all of them, by name. */
  get shared(): ReadonlyMap<string, Readonly<Figures>> {
    return new Map<string, Readonly<Figures>>([
      ...SHARED.map((what) => [what, this.figuresOf(what)] as const),
      ['diskBytes', quotaFigures(this.quotaWords)],
    ]);
  }

  /** The system's number of the thread; undefined until it is known. */
  get thread(): number | undefined {
    return Atomics.load(this.words, THREAD) || undefined;
  }
  set thread(number: number | undefined) {
    Atomics.store(this.words, THREAD, number ?? 0);
  }

  /** What the thread is doing, for sentences: `job integrate`. */
  get busyWith(): string | undefined {
    const what = Atomics.load(this.words, BUSY_WITH);
    if (what === NOTHING) return undefined;
    if (what === REQUEST) return 'what a client has asked for';
    return what === NAMELESS_JOB ? 'a job' : `job ${this.nameAt(what)}`;
  }

  turnEnded(): void {
    Atomics.add(this.words, TURNS, 1);
  }

  overrunByRequests(): void {
    Atomics.add(this.words, REQUEST_OVERRUNS, 1);
  }

  /** Gives a job a number, for `jobStarts`. */
  nameJob(name: string, { class: jobClass, rank }: Omit<JobPlace, 'name'> = { class: 'scheduled', rank: 0 }): number {
    let free = this.isTaken.indexOf(false);
    if (free < 0) free = this.isTaken.length;
    if (free >= MOST_NAMES) return NAMELESS_JOB;
    this.isTaken[free] = true;
    this.generations[free] = (this.generations[free] ?? 0) + 1;
    const bytes = this.names.subarray(free * NAME_BYTES, (free + 1) * NAME_BYTES).fill(0);
    bytes.set(Buffer.from(name).subarray(0, NAME_BYTES));
    this.places.set([JOB_CLASSES.indexOf(jobClass), rank], free * PLACES);
    this.times.fill(0, free * TIMES, (free + 1) * TIMES);
    return free + 1;
  }

  /** Which of the jobs that have had this number has it now. */
  generationOf(number: number): number | undefined {
    return this.isTaken[number - 1] ? this.generations[number - 1] : undefined;
  }

  /** Frees the number of a job that was removed. */
  forgetJob(number: number): void {
    if (number <= NOTHING) return;
    this.isTaken[number - 1] = false;
    this.names[(number - 1) * NAME_BYTES] = 0;
  }

  /** Counts a run of a job. */
  jobTook(number: number, millis: number): void {
    if (number <= NOTHING) return;
    const { times } = this;
    const at = (number - 1) * TIMES;
    times[at] = (times[at] as number) + 1;
    times[at + 1] = (times[at + 1] as number) + millis;
    if (millis > (times[at + 2] as number)) times[at + 2] = millis;
  }

  private hasName(number: number): boolean {
    return this.names[(number - 1) * NAME_BYTES] !== 0;
  }

  /** The figures of a job by its number. */
  timeOf(number: number): JobTime {
    const name = number > NOTHING ? this.nameAt(number) : '';
    const [calls = 0, totalMillis = 0, worstMillis = 0] = this.times.subarray((number - 1) * TIMES);
    return { name, calls, totalMillis, worstMillis };
  }

  // Stored without a fence, because a watchdog reads it seconds later.
  jobStarts(number: number): void {
    this.words[BUSY_WITH] = number;
  }
  requestsStart(): void {
    this.words[BUSY_WITH] = REQUEST;
  }
  isIdle(): void {
    this.words[BUSY_WITH] = NOTHING;
  }

  private nameAt(number: number): string {
    // Copied, because a text decoder does not accept shared memory.
    const bytes = Buffer.from(this.names.slice((number - 1) * NAME_BYTES, number * NAME_BYTES));
    if (bytes[0] === 0) return '';
    return bytes.toString('utf8').replace(/[\0\uFFFD]+$/, '');
  }
}
