// All recording groups of a simulation. Trick: DataRecordDispatcher

import { didYouMean, nearestNames } from '../model/suggest.js';
import { type Recorded, Recorder, type RecordOptions } from './recorder.js';

/** What all recordings of clients together may cost the simulation. */
const MOST_GROUPS = 100;
const SHORTEST_CYCLE_SECONDS = 1e-4;
const MOST_ROWS_A_SECOND = 20_000;
const MOST_VALUES_A_SECOND = 500_000;

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;
/** A row is written to its file this long after it was taken, at the latest. */
const FLUSH_MILLIS = 500;

/** What clients may ask of recordings. Trick: dr_enable, dr_disable, dr_record_now_group */
export type RecordControl =
  | {
      readonly action: 'enable' | 'disable' | 'now';
      /** One group by name; all when left out. */
      readonly group?: string;
    }
  /** Trick: add_data_record_group */
  | { readonly action: 'add'; readonly group: string; readonly options: RecordOptions };

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
    ): unknown;
  };
  toTics(seconds: number): number;
}

export class Recording {
  private readonly recorders = new Map<string, Recorder>();
  private readonly clients = new ClientRecordings();
  private hasStarted = false;
  private flushedMillis = 0;

  constructor(private readonly recorded: Recorded & { readonly executive: SampleTimes }) {}

  /**
   * Adds a group. For something that cannot be recorded throws an Error with one sentence, at the latest at the start.
   */
  add(name: string, options: RecordOptions, isClients = false): void {
    if (!NAME.test(name))
      throw new Error(`a recording is named with letters, digits and _, not ${JSON.stringify(name)}`);
    if (this.recorders.has(name)) throw new Error(`there is a recording ${name} already`);
    const { executive } = this.recorded;
    const { cycle = 0.1 } = options;
    const periodTics = executive.toTics(cycle);
    if (!(periodTics >= 1 && Number.isSafeInteger(periodTics))) {
      throw new RangeError(`recording ${name} needs a cycle in seconds from 1e-6 up, not ${cycle}`);
    }
    const { files, clientFiles } = this.recorded;
    if (isClients) this.clients.admit(options.variables.length, periodTics / executive.toTics(1));
    const recorder = new Recorder(name, options, this.recorded, isClients ? clientFiles : files);
    if (this.hasStarted) recorder.prepare();
    if (isClients) this.clients.add(options.variables.length, periodTics / executive.toTics(1));
    this.recorders.set(name, recorder);
    const firstTics = Math.ceil(executive.timeTics / periodTics) * periodTics;
    executive.recorders.add({ name: `record ${name}`, periodTics, run: () => recorder.record() }, firstTics, 0);
  }

  /** Finds the variables of all groups, after the simulation has been built. */
  start(): void {
    this.hasStarted = true;
    for (const recorder of this.recorders.values()) recorder.prepare();
  }

  /** Whether a file of the run directory is, or will be, one of a recording. @param name whatever its spelling. */
  owns(name: string): boolean {
    const { files } = this.recorded;
    for (const { fileNames } of this.recorders.values())
      if (fileNames.some((own) => files.isSame(own, name))) return true;
    return false;
  }

  control(control: RecordControl): void {
    if (control.action === 'add') {
      // Groups that are added before the first frame come from the operator's input file.
      this.add(control.group, control.options, !this.recorded.executive.isBeforeStart);
      return;
    }
    const { action, group } = control;
    for (const recorder of group === undefined ? this.recorders.values() : [this.named(group)]) {
      if (action === 'now') recorder.record(true);
      else recorder.isEnabled = action === 'enable';
      recorder.flush();
    }
  }

  /**
   * Writes buffered rows when it is time. Called between frames, so that the files are complete up to the last frames;
   * appending some kilobytes to the page cache takes microseconds.
   */
  flush(nowMillis: number): void {
    if (this.recorders.size === 0 || Math.abs(nowMillis - this.flushedMillis) < FLUSH_MILLIS) return;
    this.flushedMillis = nowMillis;
    for (const recorder of this.recorders.values()) recorder.flush();
  }

  close(): void {
    for (const recorder of this.recorders.values()) recorder.close();
  }

  private named(name: string): Recorder {
    const recorder = this.recorders.get(name);
    if (recorder) return recorder;
    throw new Error(`there is no recording ${name}${didYouMean(nearestNames(name, this.recorders.keys()))}`);
  }
}

/** The totals of what clients have added. */
class ClientRecordings {
  private groups = 0;
  private rowsASecond = 0;
  private valuesASecond = 0;

  /** Throws an Error with one sentence when a group with that many values would exceed the limits. */
  admit(values: number, cycleSeconds: number): void {
    if (this.groups >= MOST_GROUPS) throw new Error(`clients may add ${MOST_GROUPS} recordings, and there are as many`);
    if (cycleSeconds < SHORTEST_CYCLE_SECONDS)
      throw new RangeError(
        `a client's recording has a cycle of ${SHORTEST_CYCLE_SECONDS} s or more, not ${cycleSeconds}`,
      );
    const rows = this.rowsASecond + 1 / cycleSeconds;
    const all = this.valuesASecond + values / cycleSeconds;
    if (rows > MOST_ROWS_A_SECOND)
      throw new Error(`the recordings of clients may take ${MOST_ROWS_A_SECOND} rows a second, not ${Math.ceil(rows)}`);
    if (all > MOST_VALUES_A_SECOND)
      throw new Error(
        `the recordings of clients may take ${MOST_VALUES_A_SECOND} values a second, not ${Math.ceil(all)}`,
      );
  }

  add(values: number, cycleSeconds: number): void {
    this.groups++;
    this.rowsASecond += 1 / cycleSeconds;
    this.valuesASecond += values / cycleSeconds;
  }
}
