// Values side by side in pieces, so that work on many of them can be done in steps between ticks.
import { strideOf, type Type } from './type.js';

/** What is cleared, copied or looked through in one step: about a third of a millisecond, in memory that is used first. */
export const STEP_BYTES = 2 ** 18;

/** Values side by side. */
export interface Values {
  readonly type: Type;
  readonly offsetBytes: number;
  /** Default: one. */
  readonly count?: number;
}

export type Piece = Required<Values>;

export const bytesOfPiece = ({ type, count }: Piece): number => strideOf(type) * count;

/** The same values in pieces of a step at most; arrays are divided, other values are whole. */
export function* piecesOf({ type, offsetBytes, count = 1 }: Values): Generator<Piece, void> {
  let [element, rest] = [type, count];
  for (; element.kind === 'array'; element = element.element) rest *= element.length;
  const stride = strideOf(element);
  const most = Math.max(1, Math.floor(STEP_BYTES / stride));
  for (let at = offsetBytes; rest > 0; at += most * stride, rest -= most)
    yield { type: element, offsetBytes: at, count: Math.min(most, rest) };
}
