// What a chart draws: its lines, thresholds and the ranges of its axes.
import type { Limits } from '../values/limits.js';
import type { Band } from './bands.js';
import type { DrawnThreshold } from './scene.js';

export interface DrawnLine {
  readonly label: string;
  /** Its unit, or what `ownAxis` has made; a band has none. */
  readonly axis: string | undefined;
  /** A value that holds until the next one: integers, switches, enumerations. */
  readonly isStepped: boolean;
  readonly labels?: Readonly<Record<string, number>> | undefined;
  readonly isHidden: boolean;
  readonly colour: string;
  readonly isDashed: boolean;
  /** 1 to 3. */
  readonly width: number;
  /** In the units that are drawn. */
  readonly limits?: Limits | undefined;
  /** Drawn as a band, not as a line. */
  readonly band?: Pick<Band, 'wordOf' | 'isOn'> | undefined;
}

export interface AxisRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly isLogarithmic?: boolean | undefined;
}

export interface ChartPlan {
  readonly lines: readonly DrawnLine[];
  readonly thresholds: readonly DrawnThreshold[];
  /** By unit. */
  readonly ranges: Readonly<Record<string, AxisRange>>;
}

/** Times of all lines, and a list of values for each; null interrupts a line, and undefined is no point of it. */
export interface DrawnPoints {
  readonly times: readonly number[];
  readonly columns: readonly (readonly (number | null | undefined)[])[];
}
