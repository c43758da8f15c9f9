// A table of values over simulation time, kept in memory.

import { requireOptions } from '../../model/state/option-names.js';
import type { Value } from '../../model/state/read.js';
import type { RunningSimulation } from '../../simulation/executive/running-simulation.js';

/** What a run records, and how often. */
export interface RecordTable {
  /** Paths of variables; `ball.height{cm}` in other units. */
  readonly variables: readonly string[];
  /** Seconds of simulation time between rows. Default: the software frame. */
  readonly cycleSeconds?: number;
}

/** Rows of values; the first column is simulation time in seconds. */
export interface Recorded {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (Value | undefined)[])[];
}

/** More rows would fill the memory of the process. */
const MOST_VALUES = 100_000_000;

/** Takes rows at exact simulation times, after the jobs of that time. */
export class Sampler implements Recorded {
  readonly columns: readonly string[];
  readonly rows: (Value | undefined)[][] = [];
  private readonly periodTics: number;

  /** Throws a RangeError for a cycle that is not valid, and for an option that does not exist. */
  constructor(
    private readonly executive: RunningSimulation['executive'],
    table: RecordTable,
    private readonly read: (path: string) => Value | undefined,
  ) {
    requireOptions('a table', table, ['variables', 'cycleSeconds']);
    const { variables, cycleSeconds } = table;
    this.columns = ['time', ...variables];
    this.periodTics = cycleSeconds === undefined ? executive.softwareFrameTics : executive.toTics(cycleSeconds);
    if (!(this.periodTics >= 1 && Number.isSafeInteger(this.periodTics))) {
      throw new RangeError(`a table has a cycle in seconds from 1e-6 up, not ${cycleSeconds}`);
    }
    for (const path of variables) read(path);
    const sample = { name: 'record', periodTics: this.periodTics, run: () => this.take() };
    executive.recorders.add(sample, executive.timeTics);
  }

  /** Takes the row of the last moment, if one is due then: no frame begins there, so no job has taken it. */
  finish(): void {
    const { timeTics } = this.executive;
    if (timeTics % this.periodTics === 0 && this.rows.at(-1)?.[0] !== this.executive.timeSeconds) this.take();
  }

  private take(): void {
    if (this.rows.length * this.columns.length >= MOST_VALUES) {
      throw new RangeError(
        `a table in memory has up to ${MOST_VALUES} values; sim.record writes longer ones to a file`,
      );
    }
    const [, ...variables] = this.columns;
    this.rows.push([this.executive.timeSeconds, ...variables.map((path) => this.read(path))]);
  }
}
