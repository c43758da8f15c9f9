// The simulation time of an answer's values.
import type { Frame } from '../../model/frame/reader.js';
import type { Source } from '../../source/source.js';

export interface SimTime {
  readonly sec_si: number;
  readonly label: string;
  /** How often time has jumped; left out while it never has. */
  readonly jumps?: number;
}

/** The simulation time of a frame, read from the simulation's clock. */
export const simTimeOf = (source: Source, { header }: Frame): SimTime => ({
  sec_si: header.clockSeconds,
  label: source.info.clockLabel,
  ...(header.jumps > 0 && { jumps: header.jumps }),
});
