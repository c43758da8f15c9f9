// What a watch or a poll costs in each frame.
import type { FrameHeader } from '../frame/header.js';
import type { Variable } from '../model/variable.js';
import { tickMillisOf } from '../session/frame-cadence.js';
import { valuesIn } from '../session/value-count.js';

/** How many values a second it takes to look at these variables in every frame. */
export function valuesPerSecond(variables: readonly Variable[], header: FrameHeader): number {
  const values = variables.reduce((sum, { type }) => sum + valuesIn(type), 0);
  return Math.ceil((1000 * values) / tickMillisOf(header));
}
