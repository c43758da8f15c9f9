// The row of a recording that holds at a time, for readers whose time goes on.
import type { LeafValue } from '../../model/state/memory.js';
import type { Column } from '../../simulation/recording/row.js';
import type { Recording } from './recording.js';

/** Rows that are looked at one after another, before the row is found by bisection. */
const MOST_STEPS = 64;
const BEFORE_ALL = -1;

export class RowInTime {
  private row = BEFORE_ALL;
  private seconds = Number.NaN;
  /** A file that was damaged meanwhile is not read again and again. */
  private isLost = false;

  constructor(private readonly recording: Recording) {}

  /** Of the last row that is not later; undefined before all rows, and where the file cannot be read any more. */
  valueAt(column: Column, seconds: number): LeafValue | undefined {
    if (this.isLost) return undefined;
    try {
      if (seconds !== this.seconds) this.row = this.rowAt(seconds);
      this.seconds = seconds;
      return this.row === BEFORE_ALL ? undefined : this.recording.value(column, this.row);
    } catch {
      this.isLost = true;
      return undefined;
    }
  }

  private rowAt(seconds: number): number {
    const { recording } = this;
    const isDue = (row: number): boolean => recording.seconds(row) <= seconds;
    if (recording.rows === 0) return BEFORE_ALL;
    if (seconds > this.seconds && this.row !== BEFORE_ALL)
      for (let row = this.row, steps = 0; steps < MOST_STEPS; row++, steps++)
        if (row + 1 >= recording.rows || !isDue(row + 1)) return row;
    const found = recording.rowAt(seconds);
    return isDue(found) ? found : BEFORE_ALL;
  }
}
