// When the values of an answer were true.
import type { Frame } from '../frame/reader.js';
import type { Source } from '../source/source.js';

export interface SimTime {
  readonly sec_si: number;
  readonly label: string;
}

/** The simulation time of a frame by the simulation's own clock. */
export const simTimeOf = (source: Source, { header }: Frame): SimTime => ({
  sec_si: header.clockSeconds,
  label: source.info.clockLabel,
});
