// The beginning of a name that ends at a place of a text.

const PART = /[\w.[\]]/;
const BEGINNING = /[A-Za-z_]/;
/** A longer one begins no name that there is. */
const LONGEST_FRAGMENT = 4096;

/** Empty when no name ends there. Looks at each character once: an expression would begin anew at each of them. */
export function fragmentBefore(text: string, cursor: number): string {
  const lowest = Math.max(0, Math.min(cursor, text.length) - LONGEST_FRAGMENT);
  let start = Math.min(cursor, text.length);
  const end = start;
  while (start > lowest && PART.test(text[start - 1] as string)) start--;
  while (start < end && !BEGINNING.test(text[start] as string)) start++;
  return text.slice(start, end);
}
