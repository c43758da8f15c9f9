// Gives back the variables of a list: a few at once, many in turns, because a list may have twenty thousand.
import type { Account } from '../../scheduling/account.js';
import type { Sliced } from '../../scheduling/slice.js';
import type { Turns } from '../../scheduling/turns.js';
import type { ReferenceTable, TrickReference } from '../wire/reference.js';

/** Giving back so many takes less than a tenth of a slice. */
const FEW = 200;
/** A step of a slice takes up to ten microseconds. */
const STEPS_PER_REFERENCE = 0.25;

interface Settings {
  readonly references: Pick<ReferenceTable, 'release'>;
  readonly registry: { readonly turns: Turns };
  readonly client: { readonly account: Account };
}

/** Releases each hold once. */
export function releaseAll(held: readonly TrickReference[], { references, registry, client }: Settings): void {
  for (const reference of held.slice(0, FEW)) references.release(reference);
  if (held.length <= FEW) return;
  void registry.turns.run(client.account, function* (slice): Sliced<void> {
    for (const reference of held.slice(FEW)) {
      references.release(reference);
      if (slice.isOver(STEPS_PER_REFERENCE)) yield;
    }
  });
}
