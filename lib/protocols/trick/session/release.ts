// Gives back the variables of a list: a few at once, many in turns, because a list may have twenty thousand.
import type { ReferenceTable, TrickReference } from '../wire/reference.js';

const AT_ONCE = 256;

/** Releases each hold once. */
export async function releaseAll(
  held: readonly TrickReference[],
  references: Pick<ReferenceTable, 'release'>,
  turn: () => Promise<void>,
): Promise<void> {
  for (const [index, reference] of held.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await turn();
    references.release(reference);
  }
}
