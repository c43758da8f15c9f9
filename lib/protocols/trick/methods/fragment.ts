// The beginning of a name that ends at a place of a text.

const PART = /[\w.[\]]/;
const BEGINNING = /[A-Za-z_]/;
/** A longer text begins no name that exists. */
const LONGEST_FRAGMENT = 4096;

/**
 * The beginning of a name; empty when no name ends at the cursor. It looks at each character once, where an expression
 * would start again at each of them.
 */
export function fragmentBefore(text: string, cursor: number): string {
  const lowest = Math.max(0, Math.min(cursor, text.length) - LONGEST_FRAGMENT);
  let start = Math.min(cursor, text.length);
  const end = start;
  while (start > lowest && PART.test(text[start - 1] as string)) start--;
  while (start < end && !BEGINNING.test(text[start] as string)) start++;
  return text.slice(start, end);
}
