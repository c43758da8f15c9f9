// The one place that asks the simulation for a frame with values that the latest frame does not carry.
import type { Source } from '../../source/source.js';

/**
 * Asks the simulation for a frame at once, which carries what leases hold by now. Resolves when that frame is the source's
 * latest; a pointer may then lead to values that nobody holds, so look again. Rejects with a RequestError when no frame
 * will come.
 */
export const demandFrame = (source: Source): Promise<unknown> => source.submit({ kind: 'look' });

/** As `demandFrame`, for callers that have nobody to tell that the simulation has ended: then nothing is called. */
export function whenFrameComes(source: Source, call: () => void = () => {}): void {
  demandFrame(source).then(call, () => undefined);
}
