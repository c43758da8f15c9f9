// What a watch or a poll costs in each frame.
import type { Frame } from '../../model/frame/reader.js';
import { holdsPointers } from '../../model/state/pointers.js';
import type { Variable } from '../../model/state/variable.js';
import { tickMillisOf } from '../../serving/session/frame-cadence.js';
import { valuesIn, valuesOfVariable } from '../../serving/session/value-count.js';

/** How many values a second it takes to look at these variables in every frame, as large as they are in this one. */
export const valuesPerSecond = (variables: readonly Variable[], frame: Frame): number =>
  perSecond(
    variables.reduce((sum, variable) => sum + valuesAt(frame, variable), 0),
    frame,
  );

/** Of so many values in every frame. */
export const perSecond = (values: number, { header }: Frame): number =>
  Math.ceil((1000 * values) / tickMillisOf(header));

/** How many values a variable has in a frame. */
export const valuesAt = (frame: Frame, variable: Variable): number =>
  holdsPointers(variable.type) && frame.shows(variable) ? valuesOfVariable(frame, variable) : valuesIn(variable.type);
