// Settings of the results of a Monte Carlo: which result is looked at, over what, and which end is the worse.
import { recordOf, textOf } from '../values/given.js';

export const VIEWS = ['scatter', 'histogram'] as const;
export type StudyView = (typeof VIEWS)[number];

export interface StudySettings {
  readonly [name: string]: unknown;
  /** Names of columns; undefined for the first that there is. */
  readonly result: string | undefined;
  readonly over: string | undefined;
  readonly view: StudyView;
  /** Whether the least is the worst. */
  readonly isLeastWorst: boolean;
}

export function studySettings(given: unknown): StudySettings {
  const { result, over, view, isLeastWorst } = recordOf(given);
  return {
    result: textOf(result),
    over: textOf(over),
    view: VIEWS.find((each) => each === view) ?? 'scatter',
    isLeastWorst: isLeastWorst === true,
  };
}
