// What the executive tells and asks of others while it runs a tick.
import type { Reason } from '../../model/frame/header.js';
import type { JobWatch } from './jobs.js';

/** Others who are to be asked before the jobs of a time run. */
export interface Waits {
  /** The next time at which they must be asked; Infinity when there is none. */
  readonly nextTics: number;
  /** Asks them; false as long as the jobs must wait. */
  pass(timeTics: number): boolean;
  /** As `pass`, at the start of a frame. */
  begin(timeTics: number): boolean;
  /** Called when simulation time has gone to another one. */
  restartAt(timeTics: number): void;
}

export interface ExecutiveEvents {
  /** Takes a snapshot now. */
  readonly publish: (reason: Reason) => void;
  readonly watch?: JobWatch;
  readonly waits?: Waits;
  /** Called at the end of each frame, before its snapshot. */
  readonly frameEnds?: () => void;
  /** Called when the simulation's own code threw; the simulation is then frozen, or at its end. */
  readonly failed: (error: Error) => void;
}
