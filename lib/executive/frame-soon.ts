// Whether who asks for a frame had better get that of the next tick.
import { Mode } from '../frame/header.js';
import { WHOLE_BYTES } from '../frame/page-map.js';
import type { Executive } from './executive.js';
import { TICS_PER_SECOND } from './executive-options.js';
import type { Pacer } from './pacer.js';

/** Nobody waits longer than such a frame for what could be there at once. */
const LONGEST_WAIT_SECONDS = 0.02;

/** Whether frames take long to publish, because readers ask for much, and the next tick's comes in a moment. */
export function isFrameSoon(executive: Executive, pacer: Pick<Pacer, 'isEnabled'>): boolean {
  const { mode, isHeld, softwareFrameTics, copies } = executive;
  const isRunning = mode === Mode.run && !isHeld && pacer.isEnabled;
  const isShort = softwareFrameTics <= LONGEST_WAIT_SECONDS * TICS_PER_SECOND;
  return isRunning && isShort && copies.frameBytes > WHOLE_BYTES;
}
