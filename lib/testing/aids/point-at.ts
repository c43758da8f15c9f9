// Points a pointer of a test's simulation at values, as an assignment of a client does.
import type { Catalog } from '../../model/state/catalog.js';
import type { State } from '../../model/state/state.js';

/** Frames published from now on have it. */
export function pointAt(
  { catalog, state }: { readonly catalog: Catalog; readonly state: State },
  pointer: string,
  target: string,
  count: number,
): void {
  const at = (path: string): number => catalog.find(path)?.offsetBytes as number;
  const { view } = state.arena.memory;
  view.setUint32(at(pointer), at(target), true);
  view.setUint32(at(pointer) + 4, count, true);
}
