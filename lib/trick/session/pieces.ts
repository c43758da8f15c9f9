// Work on many variables in pieces, between which others have their turn.
import type { Slice } from '../../scheduling/slice.js';
import type { TrickReference } from '../wire/reference.js';

/** Names that are looked up, and references that are looked at, between two looks at the clock. */
export const NAMES_AT_ONCE = 32;
/** A piece takes a tenth of a millisecond: the clock is looked at after each. */
export const STEPS_OF_PIECE = 64;

/** Calls with some references after others; yields after each piece. */
export function* eachPiece(
  references: readonly TrickReference[],
  call: (some: readonly TrickReference[]) => void,
): Generator<void, void> {
  for (let start = 0; start < references.length; start += NAMES_AT_ONCE) {
    call(references.slice(start, start + NAMES_AT_ONCE));
    yield;
  }
}

/** Yields `turn` between pieces when the slice is over; the slice begins anew then. */
export function* slicewise<Result, Turn>(
  pieces: Generator<void, Result>,
  slice: Slice,
  turn: Turn,
): Generator<Turn, Result> {
  for (;;) {
    const step = pieces.next();
    if (step.done) return step.value;
    if (!slice.isOver(STEPS_OF_PIECE)) continue;
    yield turn;
    slice.restart();
  }
}
