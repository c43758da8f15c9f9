// What a simulation's thread shows of itself even while it is busy: words that another thread reads at any time.

const TURNS = 0;
const BUSY_WITH = 1;
const REQUEST_OVERRUNS = 2;
const WORDS = 3;
/** Jobs beyond these have no name here. */
const MOST_NAMES = 256;
const NAME_BYTES = 64;

const NOTHING = 0;
const REQUEST = -1;
const NAMELESS_JOB = -2;

export class Vitals {
  private readonly words: Int32Array;
  private readonly names: Uint8Array;
  private readonly isTaken: boolean[] = [];

  /** @param buffer of other vitals, on another thread. */
  constructor(readonly buffer = new SharedArrayBuffer(4 * WORDS + MOST_NAMES * NAME_BYTES)) {
    this.words = new Int32Array(buffer, 0, WORDS);
    this.names = new Uint8Array(buffer, 4 * WORDS);
  }

  /** Turns that have ended; goes round. */
  get turns(): number {
    return Atomics.load(this.words, TURNS);
  }

  /** Frames that ended late because of what clients had asked for. */
  get requestOverruns(): number {
    return Atomics.load(this.words, REQUEST_OVERRUNS);
  }

  /** What the thread is busy with, as sentences say it: `job integrate`. */
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

  /** A number for a job, for `jobStarts`. */
  nameJob(name: string): number {
    let free = this.isTaken.indexOf(false);
    if (free < 0) free = this.isTaken.length;
    if (free >= MOST_NAMES) return NAMELESS_JOB;
    this.isTaken[free] = true;
    const bytes = this.names.subarray(free * NAME_BYTES, (free + 1) * NAME_BYTES).fill(0);
    bytes.set(Buffer.from(name).subarray(0, NAME_BYTES));
    return free + 1;
  }

  /** The job has gone; its number may be another's. */
  forgetJob(number: number): void {
    if (number > NOTHING) this.isTaken[number - 1] = false;
  }

  // Stored without a fence: a watchdog looks seconds later.
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
    // Copied, because a text decoder takes no shared memory.
    const bytes = Buffer.from(this.names.slice((number - 1) * NAME_BYTES, number * NAME_BYTES));
    return bytes.toString('utf8').replace(/[\0\uFFFD]+$/, '');
  }
}
