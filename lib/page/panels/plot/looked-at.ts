// The times that a person looks at, in all panels of the page: under the cursor, and where the second cursor stands.
import { batch, signal } from '@preact/signals';

/** Time under the cursor, in seconds; undefined for now. */
export const LOOKED = signal<number | undefined>(undefined);
/** Time of the second cursor, which stays where it is put; while there is one, the first stays too. */
export const MARKED = signal<number | undefined>(undefined);

/** The cursor is at a time, or has left the charts. */
export function look(time: number | undefined): void {
  if (time !== undefined || MARKED.peek() === undefined) LOOKED.value = time;
}

/** Puts the second cursor at a time, or takes it away when it stands there already, within so many seconds. */
export function mark(time: number, within: number): void {
  const before = MARKED.peek();
  batch(() => {
    MARKED.value = before !== undefined && Math.abs(before - time) <= within ? undefined : time;
    // The cursor may be elsewhere by now.
    LOOKED.value ??= time;
  });
}

/** Whether there was a second cursor. */
export function unmark(): boolean {
  if (MARKED.peek() === undefined) return false;
  batch(() => {
    MARKED.value = undefined;
    LOOKED.value = undefined;
  });
  return true;
}
