// The past of an expression: computed of the rows that are kept as they came of its variables, and of no others.
import type { DerivedSignal } from '../../source/derived/signals.js';
import { justAfter, type Pyramid } from './pyramid.js';

export interface DerivedPast {
  readonly signal: Pick<DerivedSignal, 'fill'>;
  /** The pasts of the signal's inputs, by their paths. */
  readonly inputs: ReadonlyMap<string, Pyramid>;
  readonly into: Pyramid;
}

/** Fills up to the latest row; stops when it is not wanted any more. */
export async function filled(past: DerivedPast, isWanted: () => boolean, turn: () => Promise<void>): Promise<void> {
  await turn();
  const inputs = [...past.inputs.values()];
  const [first] = inputs as [Pyramid];
  // Before, not all have every row.
  let from = Math.max(...inputs.map(({ extent }) => extent?.wholeFrom ?? Number.POSITIVE_INFINITY));
  let rows = 0;
  for (let sample = first.sampleFrom(from); sample && isWanted(); sample = first.sampleFrom(from)) {
    fillAt(past, from, sample.time);
    from = justAfter(sample.time);
    if (++rows % ROWS_AT_ONCE === 0) await turn();
  }
}

/** A row takes some microseconds. */
const ROWS_AT_ONCE = 64;

function fillAt({ signal, inputs, into }: DerivedPast, from: number, seconds: number): void {
  const values = new Map<string, number>();
  let gap: number | undefined;
  for (const [path, past] of inputs) {
    gap ??= past.gapIn(from, seconds);
    const sample = past.sampleFrom(seconds);
    if (sample?.time === seconds) values.set(path, sample.value);
  }
  const isRow = values.size === inputs.size;
  if (gap !== undefined || !isRow) {
    signal.fill(undefined);
    into.addGap(gap ?? seconds);
  }
  if (isRow) into.add(seconds, signal.fill({ seconds, valueOf: ({ path }) => values.get(path) as number }));
}
