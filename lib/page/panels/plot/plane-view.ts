// Which part of the plane an X-Y plot shows: all of its trajectories, or where a person has put it.
import type { Extent } from './equal-scale.js';

export interface PlaneView {
  readonly x: Extent;
  readonly y: Extent;
}

/** A place in the plot, from 0 to 1: from its left edge, and from its upper edge. */
export interface PlanePlace {
  readonly across: number;
  readonly down: number;
}

/** Shorter than this share of its values, an axis cannot be told from a point. */
const LEAST_SHARE = 1e-9;
const LONGEST = 1e150;

/** Zooms by a factor (above 1 shows less); what is at the place stays there. At its limits nothing changes. */
export function zoomPlane({ x, y }: PlaneView, factor: number, { across, down }: PlanePlace): PlaneView {
  const zoomed = { x: zoomAxis(x, factor, across), y: zoomAxis(y, factor, 1 - down) };
  return isFine(zoomed.x) && isFine(zoomed.y) ? zoomed : { x, y };
}

/** Moves by shares of the plot: the window goes to the right, and down. */
export function panPlane({ x, y }: PlaneView, { across, down }: PlanePlace): PlaneView {
  const moved = { x: shifted(x, across), y: shifted(y, -down) };
  return isFine(moved.x) && isFine(moved.y) ? moved : { x, y };
}

/** The part between two places. */
export function partOf({ x, y }: PlaneView, from: PlanePlace, to: PlanePlace): PlaneView {
  const part = { x: between(x, from.across, to.across), y: between(y, 1 - to.down, 1 - from.down) };
  return isFine(part.x) && isFine(part.y) ? part : { x, y };
}

const lengthOf = ({ min, max }: Extent): number => max - min;

function zoomAxis(axis: Extent, factor: number, share: number): Extent {
  const fixed = axis.min + share * lengthOf(axis);
  const length = lengthOf(axis) / factor;
  return { min: fixed - share * length, max: fixed + (1 - share) * length };
}

const shifted = (axis: Extent, share: number): Extent => ({
  min: axis.min + share * lengthOf(axis),
  max: axis.max + share * lengthOf(axis),
});

const between = (axis: Extent, from: number, to: number): Extent => ({
  min: axis.min + from * lengthOf(axis),
  max: axis.min + to * lengthOf(axis),
});

function isFine(axis: Extent): boolean {
  const greatest = Math.max(Math.abs(axis.min), Math.abs(axis.max));
  return lengthOf(axis) > LEAST_SHARE * greatest && greatest < LONGEST;
}
