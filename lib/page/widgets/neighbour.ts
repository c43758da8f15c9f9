// Where the focus goes from what is removed.

/** Gives the focus to the next of its kind in the same list, or to the one before it. @param kind a selector. */
export function focusNeighbour(element: HTMLElement, kind: string): void {
  const all = [...(element.parentElement?.closest('tbody, div')?.querySelectorAll<HTMLElement>(kind) ?? [])];
  const index = all.indexOf(element);
  (all[index + 1] ?? all[index - 1])?.focus();
}
