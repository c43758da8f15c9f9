// What a watch or a poll costs in each frame.
import type { Frame } from '../frame/reader.js';
import { holdsPointers } from '../model/pointers.js';
import type { Variable } from '../model/variable.js';
import { tickMillisOf } from '../session/frame-cadence.js';
import { valuesIn, valuesOfVariable } from '../session/value-count.js';

/** How many values a second it takes to look at these variables in every frame, as large as they are in this one. */
export function valuesPerSecond(variables: readonly Variable[], frame: Frame): number {
  const values = variables.reduce((sum, variable) => sum + valuesAt(frame, variable), 0);
  return Math.ceil((1000 * values) / tickMillisOf(frame.header));
}

const valuesAt = (frame: Frame, variable: Variable): number =>
  holdsPointers(variable.type) && frame.shows(variable) ? valuesOfVariable(frame, variable) : valuesIn(variable.type);
