// Names with `*` for any characters and `?` for one.

/** Characters of a pattern. */
export const LONGEST_PATTERN = 1000;

/** Whether the whole text fits the pattern; takes at most the product of both lengths in steps. */
export function fitsGlob(pattern: string, text: string): boolean {
  let [p, t] = [0, 0];
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    if (pattern[p] === '*') {
      if (p === pattern.length - 1) return true;
      star = p++;
      resume = t;
    } else if (p < pattern.length && (pattern[p] === '?' || pattern[p] === text[t])) {
      p++;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}

/** The same pattern in as few characters as it takes: many stars are one. */
export const shortened = (pattern: string): string => pattern.replace(/\*+/g, '*');
