// The results of many runs without a recording that is open, as a recording of one moment.
import { Memory } from '../../model/state/memory.js';
import { type Column, TIME_COLUMN } from '../../simulation/recording/row.js';
import type { PlayedStudy, Study } from '../../simulation/recording/study.js';
import { Recording, type RowBlock } from './recording.js';

export class ResultsOnly extends Recording {
  readonly format = 'results of runs';
  readonly columns: readonly Column[] = [TIME_COLUMN];
  readonly time = TIME_COLUMN;
  readonly rowBytes = 8;
  readonly rows = 1;
  override readonly study: PlayedStudy;

  /** @param faults why no recording is open, one sentence each. */
  constructor(
    path: string,
    results: Study,
    readonly faults: readonly string[],
  ) {
    super({ path, look: () => undefined, close: () => undefined });
    this.study = { results, open: [] };
  }

  protected countRows(): void {}

  protected load(): RowBlock {
    return { from: 0, count: 1, memory: new Memory(new ArrayBuffer(this.rowBytes)) };
  }
}
