// All recording groups of a simulation. Trick: DataRecordDispatcher

import type { Client, ClientOrOperator } from '../../model/state/fair-share.js';
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import {
  costFigures,
  costOf,
  cyclesOf,
  isMore,
  requireClientCycles,
  requireShare,
  type Share,
  showCosts,
} from './client-share.js';
import { isOfFrameLog } from './frame-log.js';
import type { LogLevel, RecordedMark } from './mcap-file.js';
import type { Past } from './past.js';
import { LAYOUT_SETTINGS, type RecordOptions } from './record-options.js';
import { type Recorded, Recorder } from './recorder.js';

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;
const NOBODY: Client = { address: '', session: 0 };
/** A row is written to its file this long after it was taken, at the latest. */
const FLUSH_MILLIS = 500;

/** What clients may ask of recordings. */
export type RecordControl =
  | {
      /** Trick: dr_enable, dr_disable, dr_record_now_group */
      readonly action: 'enable' | 'disable' | 'now';
      /** One group by name; all when left out. */
      readonly group?: string;
    }
  /** Trick: add_data_record_group */
  | { readonly action: 'add'; readonly group: string; readonly options: RecordOptions }
  /**
   * Adds a group whose rows wait until `begin` gives rows of the past. Answers the time of the group's own first row.
   */
  | { readonly action: 'add with past'; readonly group: string; readonly options: RecordOptions }
  | { readonly action: 'begin'; readonly group: string; readonly past: Past }
  /** Only the server sends it: what has happened to the run, for recordings that keep it. */
  | { readonly action: 'mark'; readonly mark: RecordedMark; readonly text: string; readonly seconds: number }
  /** Changes the given options of one group, or of all. */
  | { readonly action: 'change'; readonly group?: string; readonly options: Partial<RecordOptions> }
  /** Ends one group, or all, with all rows written. Trick: remove_data_record_group */
  | { readonly action: 'remove'; readonly group?: string }
  /** Answers `ascii name`, `binary name`, `hdf5 name` or `mcap name` for each group, in the order in which they were added. */
  | { readonly action: 'list' }
  /** Answers the same of those that have ended by themselves, and why. */
  | { readonly action: 'list ended' };

/** When rows are taken. */
interface SampleTimes {
  /** Whether initialization has not ended. */
  readonly isBeforeStart: boolean;
  readonly timeTics: number;
  readonly timeSeconds: number;
  /** Runs after everything else that is due at the same time. */
  readonly recorders: {
    add(
      sample: { readonly name: string; readonly periodTics: number; readonly run: () => void },
      firstTics: number,
      gridTics: number,
    ): () => unknown;
  };
  toTics(seconds: number): number;
}

/** A group and the jobs that take its rows. */
interface Group {
  readonly recorder: Recorder;
  /** Calls that remove the jobs. */
  jobs: (() => unknown)[];
  /** Whether a client has added it. */
  readonly isClients: boolean;
  /** What it takes of the clients' limits; undefined for a group that no client has added or changed. */
  share: Share | undefined;
}

/** Whether a recording goes on; one that has ended by itself may begin again. */
const isAlive = ({ recorder }: Group): boolean => recorder.end === undefined;

const keyOf = ({ name, options: { format = 'ascii' } }: Recorder): string =>
  `${format === 'csv' ? 'ascii' : format} ${name}`;

const sharesOf = (groups: readonly Group[]): Share[] => groups.flatMap(({ share }) => share ?? []);

function requireAlive({ end }: Recorder): void {
  if (end !== undefined) throw new Error(end);
}

function requireBegun(recorder: Recorder): void {
  recorder.begin();
  requireAlive(recorder);
}

export class Recording {
  private readonly groups = new Map<string, Group>();
  /** What counts for clients, and how often a client was refused more. */
  figures = costFigures(() => ({ held: 0, refusals: 0 }));
  private hasStarted = false;
  private hasBegun = false;
  private flushedMillis = 0;

  /** @param facts of the run, for files that keep them. */
  constructor(
    private readonly recorded: Recorded & { readonly executive: SampleTimes },
    private readonly facts: Readonly<Record<string, string>> = {},
  ) {}

  /**
   * Adds a group. For something that cannot be recorded throws an Error with one sentence, at the latest at the start.
   * @param client the client that wants it; undefined for the operator's own.
   * @param isPastAwaited whether its rows, and its files, wait for rows of the past.
   */
  add(name: string, options: RecordOptions, client?: Client, isPastAwaited = false): void {
    if (!NAME.test(name))
      throw new Error(`a recording is named with letters, digits and _, not ${JSON.stringify(name)}`);
    const former = this.groups.get(name);
    if (former && isAlive(former) && (client || !former.isClients))
      throw new Error(`there is a recording ${name} already`);
    if (client && isOfFrameLog(name)) throw new Error(`a recording ${name} would have files of the frame log`);
    this.requireCycles(name, options);
    this.forgetEnded();
    const { files, clientFiles } = this.recorded;
    const share = client && this.shareOf(options, client);
    const ownFiles = client ? clientFiles.countedFor(clientFiles.accountOf(client)) : files;
    const recorder = new Recorder(name, options, this.recorded, ownFiles, this.facts);
    if (this.hasStarted) recorder.prepare();
    if (former && isAlive(former))
      this.recorded.say(`recording ${name} of a client ends: the operator has another one of that name`, 'warning');
    if (former) this.remove(former);
    if (isPastAwaited) recorder.waitForPast();
    if (this.hasBegun && recorder.isEnabled) requireBegun(recorder);
    this.groups.set(name, { recorder, share, isClients: client !== undefined, jobs: this.startJobs(recorder) });
    this.showShares();
  }

  /** Clients' recordings that have ended by themselves, which may begin again until somebody adds another one. */
  private forgetEnded(): void {
    for (const group of [...this.groups.values()]) if (group.isClients && !isAlive(group)) this.remove(group);
  }

  /** Throws an Error if the client's share is too small. @param replaced the group whose share is freed. */
  private shareOf(options: RecordOptions, client: Client, replaced?: Group): Share {
    requireClientCycles(options);
    const share = { cost: costOf(options), client };
    const others = [...this.groups.values()].filter((group) => group !== replaced);
    requireShare(share, sharesOf(others), this.figures);
    return share;
  }

  /** Throws a RangeError for a cycle that is no whole number of tics, at least one. */
  private requireCycles(name: string, options: RecordOptions): void {
    for (const cycle of cyclesOf(options)) {
      const periodTics = this.recorded.executive.toTics(cycle);
      if (periodTics >= 1 && Number.isSafeInteger(periodTics)) continue;
      throw new RangeError(`recording ${name} needs a cycle in seconds from 1e-6 up, not ${cycle}`);
    }
  }

  private startJobs(recorder: Recorder): (() => unknown)[] {
    const { executive } = this.recorded;
    return cyclesOf(recorder.options).map((cycle) => {
      const periodTics = executive.toTics(cycle);
      const firstTics = Math.ceil(executive.timeTics / periodTics) * periodTics;
      const sample = { name: `record ${recorder.name}`, periodTics, run: () => recorder.record() };
      return executive.recorders.add(sample, firstTics, 0);
    });
  }

  /** When a group that is added now takes its first row. */
  private firstSeconds({ cycleSeconds = 0.1 }: RecordOptions): number {
    const { executive } = this.recorded;
    const periodTics = executive.toTics(cycleSeconds);
    return (Math.ceil(executive.timeTics / periodTics) * periodTics) / executive.toTics(1);
  }

  /** Finds the variables of all groups, after the simulation has been built. */
  start(): void {
    this.hasStarted = true;
    for (const { recorder } of this.groups.values()) recorder.prepare();
  }

  /**
   * Makes the files of the recordings that are enabled, before the first frame. Throws an Error when another server writes one
   * of them; what else is wrong with one ends it with a line in the log.
   */
  begin(): void {
    this.hasBegun = true;
    const recorders = [...this.groups.values()].map(({ recorder }) => recorder).filter(({ isEnabled }) => isEnabled);
    for (const recorder of recorders) recorder.requireFree();
    for (const recorder of recorders) recorder.begin();
  }

  /** Whether a file of the run directory is, or will be, one of a recording. @param name whatever its spelling. */
  owns(name: string): boolean {
    const { files } = this.recorded;
    for (const { recorder } of [...this.groups.values()].filter(isAlive))
      if (recorder.fileNames.some((own) => files.isSame(own, name))) return true;
    return false;
  }

  /** Carries out what is asked. Throws an Error with one sentence; then nothing has changed. */
  control(control: RecordControl, by: ClientOrOperator = NOBODY): string[] | undefined {
    // What comes before the first frame comes from the operator's input file.
    const client = by === 'operator' || this.recorded.executive.isBeforeStart ? undefined : by;
    switch (control.action) {
      case 'add':
        this.add(control.group, control.options, client);
        return undefined;
      case 'add with past':
        this.add(control.group, control.options, client, true);
        return [String(this.firstSeconds(control.options))];
      case 'begin':
        for (const { recorder } of this.asked(control.group)) {
          recorder.beginWith(control.past);
          requireAlive(recorder);
        }
        return undefined;
      case 'change':
        for (const group of this.asked(control.group)) this.change(group, control.options, client);
        return undefined;
      case 'remove':
        for (const group of this.asked(control.group)) this.remove(group);
        return undefined;
      case 'mark':
        this.mark(control.mark, control.text, control.seconds);
        return undefined;
      case 'list':
        return [...this.groups.values()].filter(isAlive).map(({ recorder }) => keyOf(recorder));
      case 'list ended':
        return [...this.groups.values()]
          .filter((group) => !isAlive(group))
          .map(({ recorder }) => `${keyOf(recorder)} ${recorder.end}`);
      default:
        this.switch(control.action, control.group);
        return undefined;
    }
  }

  /** As in Trick, a group that does not exist is no error; the log says so. */
  private switch(action: 'enable' | 'disable' | 'now', name: string | undefined): void {
    if (name !== undefined && !this.groups.has(name)) {
      this.recorded.say(this.noSuchGroup(name), 'warning');
      return;
    }
    const recorders = this.asked(name).map(({ recorder }) => recorder);
    for (const recorder of recorders) {
      if (action !== 'now') recorder.isEnabled = action === 'enable';
      if (action !== 'disable' && this.hasBegun) recorder.begin();
      if (action === 'now') recorder.record(true);
      recorder.flush();
    }
    if (action !== 'disable') for (const recorder of recorders) requireAlive(recorder);
  }

  private change(group: Group, options: Partial<RecordOptions>, client: Client | undefined): void {
    const { recorder, share } = group;
    if (client && LAYOUT_SETTINGS.some((name) => name in options))
      throw new Error(`the recording ${recorder.name} runs; its variables and its form stay as they are`);
    const changed = { ...recorder.options, ...options };
    this.requireCycles(recorder.name, changed);
    const cost = costOf(changed);
    // A client that makes a recording more costly has the whole recording counted for it.
    const isDearer = isMore(cost, costOf(recorder.options));
    const next = client && isDearer ? this.shareOf(changed, client, group) : share && { ...share, cost };
    recorder.change(options);
    group.share = next;
    this.showShares();
    if (options.enabled && this.hasBegun) requireBegun(recorder);
    if (options.cycleSeconds === undefined && options.moreCyclesSeconds === undefined) return;
    for (const stop of group.jobs) stop();
    group.jobs = this.startJobs(recorder);
  }

  private remove({ recorder, jobs }: Group): void {
    for (const stop of jobs) stop();
    recorder.close();
    this.groups.delete(recorder.name);
    this.showShares();
  }

  private showShares(): void {
    showCosts(this.figures, sharesOf([...this.groups.values()]));
  }

  /** Keeps a message of the simulation in recordings that have messages. */
  note(text: string, level: LogLevel): void {
    for (const { recorder } of this.groups.values()) recorder.note(text, level);
  }

  /** Keeps what has happened to the run in the same. @param seconds when, if not now. */
  mark(mark: RecordedMark, text: string, seconds?: number): void {
    for (const { recorder } of this.groups.values()) recorder.note(text, 'normal', mark, seconds);
  }

  /**
   * Writes buffered rows, and keeps up with the catalog. Called between frames, so that the files are complete up to the
   * last frames; appending some kilobytes to the page cache takes microseconds.
   * @param nowMillis writes only when it is time; always when left out.
   */
  flush(nowMillis?: number): void {
    if (this.groups.size === 0) return;
    if (nowMillis !== undefined && Math.abs(nowMillis - this.flushedMillis) < FLUSH_MILLIS) return;
    this.flushedMillis = nowMillis ?? this.flushedMillis;
    for (const { recorder } of this.groups.values()) {
      recorder.keepUp();
      recorder.flush(false);
    }
  }

  close(): void {
    for (const { recorder } of this.groups.values()) recorder.close();
  }

  /** One group by name, or all. Throws an Error when there is none of that name. */
  private asked(name: string | undefined): Group[] {
    if (name === undefined) return [...this.groups.values()];
    const group = this.groups.get(name);
    if (!group) throw new Error(this.noSuchGroup(name));
    return [group];
  }

  private noSuchGroup(name: string): string {
    return `there is no recording ${name}${didYouMean(nearestNames(name, this.groups.keys()))}`;
  }
}
