// How long each job takes in each frame, in files that Trick's tools read. Trick: FrameLog

import type { Client } from '../../model/state/fair-share.js';
import type { OpenFile } from '../files/open-file.js';
import { type RunDirectory, reasonOf } from '../files/run-directory.js';
import { framePlots, PLOT_HEAD } from './frame-plots.js';
import { JOB_LIST_HEAD, jobList, type LoggedJob, type NumberedJob, numbered, RUN_SUMMARY } from './job-list.js';
import { BINARY, type Column, doubleColumns, headerOf, Row } from './row.js';

/** What the log is made of. */
export interface Logged {
  readonly files: RunDirectory;
  /** Files for a log that a client has switched on. */
  readonly clientFiles: RunDirectory;
  /** All jobs of the simulation. */
  readonly jobs: () => readonly LoggedJob[];
  readonly frameSeconds: () => number;
  readonly nowMillis: () => number;
  say(text: string, level: 'warning' | 'error'): void;
}

/** After so many runs of jobs the log ends. Trick: tl_max_samples */
const USUAL_SAMPLES = 100_000;
const MOST_SAMPLES = 1_000_000;
const BUFFER_BYTES = 64 * 1024;
/** What was logged is in the files after this time, at the latest. */
const FLUSH_MILLIS = 500;
/** Trick writes six digits; many jobs here take less than a microsecond, and would be left out by its viewer. */
const TIME_DIGITS = 9;

/** The work of varwire in each frame: requests before the jobs, and the snapshot after them. */
const BEFORE = -11;
const AFTER = -12;
/** By this one koviz knows how long a frame is. It takes no time here: Trick waits in it for other threads. */
const NEXT_FRAME = { number: -13, name: 'trick_sys.sched.advance_sim_time', jobClass: 'system_advance_sim_time' };
const OWN_JOBS: readonly LoggedJob[] = [
  { number: BEFORE, name: 'varwire.requests', jobClass: 'top_of_frame', order: 1, isOwn: true },
  { number: AFTER, name: 'varwire.snapshot', jobClass: 'end_of_frame', order: 65_535, isOwn: true },
];

const TIMELINES = {
  jobs: ['log_newtimeline.csv', 'jobID,startTime,stopTime\n'],
  frames: [
    'log_timeline.csv',
    'trick_frame_log.frame_log.job_time {s},trick_frame_log.frame_log.job_trick_id {--},trick_frame_log.frame_log.job_user_id {--}\n',
  ],
  others: [
    'log_timeline_init.csv',
    'trick_frame_log.frame_log.job_init_time {s},trick_frame_log.frame_log.job_trickinit_id {--},trick_frame_log.frame_log.job_userinit_id {--}\n',
  ],
} as const;
const TABLES = { frames: 'log_frame', users: 'log_frame_userjobs_main', own: 'log_frame_trickjobs' } as const;
const RECORDINGS: ReadonlySet<string> = new Set(
  [...Object.values(TIMELINES).map(([name]) => name), ...Object.values(TABLES)].map((name) =>
    name.replace(/^log_|\.csv$/g, ''),
  ),
);

/** Whether a recording of a name would have files of the log. */
export const isOfFrameLog = (name: string): boolean => RECORDINGS.has(name.toLowerCase());

/** The columns of log_frame. */
const FRAME_COLUMNS = ['trick_real_time.rt_sync.frame_time', 'trick_real_time.rt_sync.frame_overrun'];
const IN_TABLES =
  /^(environment|sensor|scheduled|effector|integration|post_integration|top_of_frame|end_of_frame|system_advance_sim_time)$/;

export class FrameLog {
  private writing: Writing | undefined;
  private isRunning = false;
  private mostSamples = USUAL_SAMPLES;
  private turnMillis = 0;
  private afterMillis = 0;
  private frameMillis = 0;
  private atSeconds = 0;
  private flushedMillis = 0;

  constructor(private readonly logged: Logged) {}

  get isOn(): boolean {
    return this.isRunning;
  }

  /** Begins or continues the log. Throws an Error with one sentence when its files cannot be made. */
  switchOn(isClients: boolean, client?: Client): void {
    const { files, clientFiles, jobs, nowMillis, frameSeconds } = this.logged;
    if (this.isRunning) return;
    this.turnMillis = nowMillis();
    const next = { ...NEXT_FRAME, order: 60_000, cycleSeconds: frameSeconds(), isOwn: true };
    const all = numbered([...OWN_JOBS, ...jobs(), next]);
    const ownFiles = isClients ? clientFiles.countedFor(clientFiles.accountOf(client)) : files;
    this.writing ??= new Writing(ownFiles, all, this.turnMillis / 1000);
    this.isRunning = true;
  }

  /** Switches the log off, with everything written to its files. */
  switchOff(): void {
    this.isRunning = false;
    this.attempt(() => this.writing?.flush());
  }

  /** Throws a RangeError for anything but a number of samples. */
  setMostSamples(samples: number): void {
    if (!(Number.isInteger(samples) && samples >= 1 && samples <= MOST_SAMPLES))
      throw new RangeError(`a frame log has 1 to ${MOST_SAMPLES} samples, not ${samples}`);
    this.mostSamples = samples;
  }

  /** Whether a file of the run directory is one of the log. */
  owns(name: string): boolean {
    return this.writing?.names.some((own) => this.logged.files.isSame(own, name)) ?? false;
  }

  turnStarts(): void {
    if (this.isRunning) this.turnMillis = this.logged.nowMillis();
  }

  /** The jobs of a frame begin. @param atSeconds simulation time. */
  frameStarts(atSeconds: number): void {
    this.atSeconds = atSeconds;
    if (!this.isRunning) return;
    this.frameMillis = this.logged.nowMillis();
    this.job(BEFORE, this.turnMillis, this.frameMillis, true);
  }

  /** @param isCyclic whether it ran in a frame, and not at the start, in a freeze or at the end. */
  job(number: number, startMillis: number, endMillis: number, isCyclic: boolean): void {
    const { writing } = this;
    if (!this.isRunning || !writing) return;
    if (writing.samples >= this.mostSamples) {
      this.isRunning = false;
      this.logged.say(`the frame log has come to its ${this.mostSamples} samples and ends`, 'warning');
      this.attempt(() => writing.flush());
      return;
    }
    writing.add(number, startMillis / 1000, endMillis / 1000, isCyclic);
  }

  /** The jobs of a frame have ended. */
  jobsEnd(): void {
    if (this.isRunning) this.afterMillis = this.logged.nowMillis();
  }

  /** @param lateSeconds how long after its time it has ended; below zero before it. */
  frameEnds(lateSeconds: number): void {
    if (!this.isRunning) return;
    const now = this.logged.nowMillis();
    this.job(AFTER, this.afterMillis, now, true);
    this.attempt(() => this.writing?.endFrame(this.atSeconds, (now - this.frameMillis) / 1000, lateSeconds));
    if (now >= this.flushedMillis + FLUSH_MILLIS) this.flush();
  }

  flush(): void {
    this.flushedMillis = this.logged.nowMillis();
    this.attempt(() => this.writing?.flush());
  }

  close(): void {
    this.flush();
    this.isRunning = false;
    this.writing?.close();
    this.writing = undefined;
  }

  /** A file that cannot be written ends the log, but not the simulation. */
  private attempt(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.isRunning = false;
      this.writing?.close();
      this.writing = undefined;
      this.logged.say(`the frame log ends: ${reasonOf(error)}`, 'error');
    }
  }
}

/** The files of a log while it runs. */
class Writing {
  samples = 0;
  readonly names: readonly string[];
  private readonly byNumber: ReadonlyMap<number, NumberedJob>;
  private readonly timelines: Readonly<Record<keyof typeof TIMELINES, LogFile>>;
  private readonly frames: Table;
  private readonly tables: readonly Table[];
  private readonly all: readonly LogFile[];

  /** @param originSeconds from when the times of the log are counted. */
  constructor(
    files: RunDirectory,
    jobs: readonly NumberedJob[],
    private readonly originSeconds: number,
  ) {
    this.byNumber = new Map(jobs.map((job) => [job.number, job]));
    const shown = jobs.filter(({ jobClass }) => IN_TABLES.test(jobClass));
    const plots = framePlots({
      frame: FRAME_COLUMNS,
      users: shown.filter(({ isOwn }) => !isOwn).map(columnOf),
      own: shown.filter(({ isOwn }) => isOwn).map(columnOf),
    });
    const opened: LogFile[] = [];
    const open = (name: string, head: string, start: Buffer): LogFile => {
      const file = new LogFile(files, name, head, start);
      opened.push(file);
      return file;
    };
    const timeline = ([name, head]: readonly [string, string]) => open(name, head, Buffer.from(head));
    const table = (name: string, columns: readonly string[], numbers: readonly number[]) =>
      new Table(files, open, name, columns, numbers);
    const ofJobs = (name: string, isOwn: boolean) => {
      const own = shown.filter((job) => (job.isOwn ?? false) === isOwn);
      return table(
        name,
        own.map(columnOf),
        own.map(({ number }) => number),
      );
    };
    try {
      this.timelines = {
        jobs: timeline(TIMELINES.jobs),
        frames: timeline(TIMELINES.frames),
        others: timeline(TIMELINES.others),
      };
      // Another server's log has the timelines open, so its other files are safe as well.
      files.replace('S_job_execution', Buffer.from(jobList(jobs)), JOB_LIST_HEAD);
      files.replace('S_run_summary', Buffer.from(RUN_SUMMARY), RUN_SUMMARY);
      for (const [name, text] of plots) files.replace(name, Buffer.from(text), PLOT_HEAD);
      this.frames = table(TABLES.frames, FRAME_COLUMNS, []);
      this.tables = [ofJobs(TABLES.users, false), ofJobs(TABLES.own, true)];
    } catch (error) {
      for (const file of opened) file.close();
      throw error;
    }
    this.all = opened;
    this.names = [
      'S_job_execution',
      'S_run_summary',
      ...plots.map(([name]) => name),
      ...opened.map(({ name }) => name),
      ...[this.frames, ...this.tables].map(({ name }) => `${name}.header`),
    ];
  }

  add(number: number, startSeconds: number, endSeconds: number, isCyclic: boolean): void {
    const job = this.byNumber.get(number);
    if (!job || job.isThere?.() === false) return;
    this.samples++;
    const start = (startSeconds - this.originSeconds).toFixed(TIME_DIGITS);
    const stop = (endSeconds - this.originSeconds).toFixed(TIME_DIGITS);
    if (isCyclic) this.timelines.jobs.add(`${job.id.padStart(5)}, ${start}, ${stop}\n`);
    const id = `${job.id}0000`;
    const running = job.isOwn ? `${id},0` : `0,${id}`;
    const steps = `${start},0,0\n${start},${running}\n${stop},${running}\n${stop},0,0\n`;
    this.timelines[isCyclic ? 'frames' : 'others'].add(steps);
    for (const table of this.tables) table.count(number, endSeconds - startSeconds);
  }

  endFrame(atSeconds: number, tookSeconds: number, lateSeconds: number): void {
    this.frames.write(atSeconds, [tookSeconds, lateSeconds]);
    for (const table of this.tables) table.writeCounted(atSeconds);
  }

  flush(): void {
    for (const file of this.all) file.flush();
  }

  close(): void {
    for (const file of this.all) file.close();
  }
}

/** A .trk file of seconds. */
class Table {
  private readonly row: Row;
  private readonly file: LogFile;
  private readonly places: ReadonlyMap<number, number>;
  private readonly counted: Float64Array;

  /** @param numbers the jobs whose times are counted, one for each column. */
  constructor(
    files: RunDirectory,
    open: (name: string, head: string, start: Buffer) => LogFile,
    readonly name: string,
    names: readonly string[],
    numbers: readonly number[],
  ) {
    const columns: readonly Column[] = doubleColumns(names, 's');
    this.row = new Row(columns);
    this.places = new Map(numbers.map((number, index) => [number, index]));
    this.counted = new Float64Array(numbers.length);
    files.replace(`${name}.header`, headerOf(BINARY, name, columns), `${name} `);
    this.file = open(`${name}.trk`, BINARY.head, BINARY.start(columns));
  }

  count(number: number, seconds: number): void {
    const place = this.places.get(number);
    if (place !== undefined) this.counted[place] = (this.counted[place] as number) + seconds;
  }

  writeCounted(atSeconds: number): void {
    this.write(atSeconds, this.counted);
    this.counted.fill(0);
  }

  write(atSeconds: number, values: Iterable<number>): void {
    const { row, file } = this;
    row.setTime(atSeconds);
    let index = 1;
    for (const value of values) row.memory.view.setFloat64(8 * index++, value, true);
    file.add(BINARY.row(row));
  }
}

/** A file to which pieces are appended, some at a time. */
class LogFile {
  private readonly file: OpenFile;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;

  constructor(
    files: RunDirectory,
    readonly name: string,
    head: string,
    start: Buffer,
  ) {
    this.file = files.create(name, head);
    this.file.append(start);
  }

  add(piece: string | Buffer): void {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    this.waiting.push(bytes);
    this.waitingBytes += bytes.length;
    if (this.waitingBytes >= BUFFER_BYTES) this.flush();
  }

  flush(): void {
    this.file.renew();
    if (this.waitingBytes === 0) return;
    const bytes = Buffer.concat(this.waiting);
    this.waiting = [];
    this.waitingBytes = 0;
    this.file.append(bytes);
  }

  close(): void {
    this.file.close();
  }
}

/** Trick's name for the time of a job in a frame. */
function columnOf({ name, id, jobClass, cycleSeconds }: NumberedJob): string {
  const cycle = cycleSeconds === undefined ? '' : `_${cycleSeconds.toFixed(3)}`;
  return `JOB_${name.replaceAll(/[^\w.-]/g, '_')}.${id}(${jobClass}${cycle})`;
}
