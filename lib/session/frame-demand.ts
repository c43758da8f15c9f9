// The one place where a frame is asked for that carries what the latest one does not.
import type { Source } from '../source/source.js';

/**
 * Asks the simulation for a frame at once, to be called after `frame.shows` has answered no: that has marked what the
 * frame must carry. Resolves when the source's latest frame is that one; a pointer may still lead to what was not
 * marked, so look again then. Rejects with a RequestError when no frame will come.
 */
export const demandFrame = (source: Source): Promise<unknown> => source.submit({ kind: 'look' });

/** `demandFrame` for those who have nobody to tell that the simulation has ended: then nothing is called. */
export function whenFrameComes(source: Source, call: () => void = () => {}): void {
  demandFrame(source).then(call, () => undefined);
}
