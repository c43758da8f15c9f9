// Whether who asks for a frame had better get that of the next tick.
import { Mode } from '../../model/frame/header.js';
import { WHOLE_BYTES } from '../../model/frame/page-map.js';
import type { Executive } from './executive.js';
import type { Holds } from './holds.js';
import type { Pacer } from './pacer.js';

/** Nobody waits longer than this for a frame that could be there at once. */
const LONGEST_WAIT_MILLIS = 20;

interface Paced {
  readonly executive: Pick<Executive, 'mode' | 'isHeld' | 'timeTics' | 'copies'>;
  readonly pacer: Pick<Pacer, 'isEnabled' | 'dueMillis'>;
  readonly holds: Pick<Holds, 'isDue'>;
  readonly nowMillis: () => number;
  /** Whether frames run when a program asks for them. */
  readonly isCalled: boolean;
}

/**
 * Whether frames take long to publish, because readers ask for much, and the next tick's comes in a moment. A tick that waits
 * for a read may wait for the frame that the read asks for.
 */
export function isFrameSoon({ executive, pacer, holds, nowMillis, isCalled }: Paced): boolean {
  const { mode, isHeld, timeTics, copies } = executive;
  const isRunning = !isCalled && mode === Mode.run && !isHeld && pacer.isEnabled && !holds.isDue(timeTics);
  return (
    isRunning && copies.frameBytes >= WHOLE_BYTES && pacer.dueMillis(timeTics) - nowMillis() <= LONGEST_WAIT_MILLIS
  );
}
