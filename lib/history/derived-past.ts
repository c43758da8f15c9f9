// The past of an expression: computed of the rows that are kept as they came of its variables, and of no others.
import type { Row } from '../derived/compile.js';
import type { DerivedSignal } from '../derived/signals.js';
import type { Slice, Sliced } from '../scheduling/slice.js';
import { justAfter, type Pyramid } from './pyramid.js';

export interface DerivedPast {
  readonly signal: Pick<DerivedSignal, 'inputs' | 'fill'>;
  /** The pasts of the signal's inputs, in their order. */
  readonly inputs: readonly Pyramid[];
  readonly into: Pyramid;
}

/** Fills up to the latest row; stops when it is not wanted any more. */
export function* filled(past: DerivedPast, isWanted: () => boolean, slice: Slice): Sliced<void> {
  const [first] = past.inputs as [Pyramid];
  // Before, not all have every row.
  let from = Math.max(...past.inputs.map(({ extent }) => extent?.wholeFrom ?? Number.POSITIVE_INFINITY));
  for (let sample = first.sampleFrom(from); sample && isWanted(); sample = first.sampleFrom(from)) {
    fillAt(past, from, sample.time);
    from = justAfter(sample.time);
    if (slice.isOver(STEPS_PER_ROW)) yield;
  }
}

/** A row takes some microseconds. */
const STEPS_PER_ROW = 4;

function fillAt({ signal, inputs, into }: DerivedPast, from: number, time: number): void {
  const [gap] = inputs.flatMap((input) => input.gapIn(from, time) ?? []);
  const row = rowAt(
    signal.inputs.map(({ path }, k) => [path, inputs[k] as Pyramid]),
    time,
  );
  if (gap !== undefined || !row) {
    signal.fill(undefined);
    into.addGap(gap ?? time);
  }
  if (row) into.add(time, signal.fill(row));
}

/** Undefined when one of them has no row at the time. */
function rowAt(inputs: readonly (readonly [path: string, past: Pyramid])[], seconds: number): Row | undefined {
  const values = new Map<string, number>();
  for (const [path, past] of inputs) {
    const sample = past.sampleFrom(seconds);
    if (sample?.time !== seconds) return undefined;
    values.set(path, sample.value);
  }
  return { seconds, valueOf: ({ path }) => values.get(path) as number };
}
