// What clients hold of the simulation's totals, in shared memory that the thread of the server can read.
import type { Figures } from '../../model/state/fair-share.js';
import type { State } from '../../model/state/state.js';
import { costFigures } from '../recording/client-share.js';
import type { Recording } from '../recording/recording.js';

/** What is bounded for all clients together, by its name in the server's figures. */
export const SHARED = [
  'recordings',
  'recordedValues',
  'recordedRowsPerSecond',
  'recordedValuesPerSecond',
  'declaredVariables',
  'declaredBytes',
  'objects',
  'objectBytes',
  'waitingCheckpoints',
  'waitingCheckpointBytes',
  'framePages',
  'readMillis',
] as const;
export type Shared = (typeof SHARED)[number];

/** Bytes that the figures of everything take. */
export const SHARED_BYTES = 16 * SHARED.length;

/** Figures whose numbers lie in shared memory: the amount, then the refusals. */
export class SharedFigures implements Figures {
  constructor(private readonly numbers: Float64Array) {}

  get held(): number {
    return this.numbers[0] as number;
  }
  set held(amount: number) {
    this.numbers[0] = amount;
  }

  get refusals(): number {
    return this.numbers[1] as number;
  }
  set refusals(count: number) {
    this.numbers[1] = count;
  }
}

/** Shows what clients hold of a simulation in its vitals. */
export function showShares({ state, recording, holds, vitals }: Showing): void {
  const { additions, allocations } = state;
  recording.figures = costFigures((what) => vitals.figuresOf(RECORDED[what]));
  allocations.counts = vitals.figuresOf('declaredVariables');
  allocations.sizes = vitals.figuresOf('declaredBytes');
  additions.objects.figures = vitals.figuresOf('objects');
  additions.bytes.figures = vitals.figuresOf('objectBytes');
  holds.figures = vitals.figuresOf('readMillis');
}

const RECORDED = {
  recordings: 'recordings',
  values: 'recordedValues',
  rowsASecond: 'recordedRowsPerSecond',
  valuesASecond: 'recordedValuesPerSecond',
} as const;

interface Showing {
  readonly state: State;
  readonly recording: Recording;
  readonly holds: { figures: Figures };
  readonly vitals: { figuresOf(what: Shared): Figures };
}
