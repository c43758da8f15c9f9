// What a simulation's thread is doing, in shared memory that another thread can read while this one is busy.

const TURNS = 0;
const BUSY_WITH = 1;
const REQUEST_OVERRUNS = 2;
const WORDS = 3;
/** Later jobs have no name in the vitals. */
const MOST_NAMES = 256;
const NAME_BYTES = 64;

const NOTHING = 0;
const REQUEST = -1;
const NAMELESS_JOB = -2;

export class Vitals {
  private readonly words: Int32Array;
  private readonly names: Uint8Array;
  private readonly isTaken: boolean[] = [];

  /** @param buffer the buffer of vitals on another thread. */
  constructor(readonly buffer = new SharedArrayBuffer(4 * WORDS + MOST_NAMES * NAME_BYTES)) {
    this.words = new Int32Array(buffer, 0, WORDS);
    this.names = new Uint8Array(buffer, 4 * WORDS);
  }

  /** Number of turns that have ended; wraps. */
  get turns(): number {
    return Atomics.load(this.words, TURNS);
  }

  /** Number of frames that ended late because of clients' requests. */
  get requestOverruns(): number {
    return Atomics.load(this.words, REQUEST_OVERRUNS);
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
  nameJob(name: string): number {
    let free = this.isTaken.indexOf(false);
    if (free < 0) free = this.isTaken.length;
    if (free >= MOST_NAMES) return NAMELESS_JOB;
    this.isTaken[free] = true;
    const bytes = this.names.subarray(free * NAME_BYTES, (free + 1) * NAME_BYTES).fill(0);
    bytes.set(Buffer.from(name).subarray(0, NAME_BYTES));
    return free + 1;
  }

  /** Frees the number of a job that was removed. */
  forgetJob(number: number): void {
    if (number > NOTHING) this.isTaken[number - 1] = false;
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
    return bytes.toString('utf8').replace(/[\0\uFFFD]+$/, '');
  }
}
