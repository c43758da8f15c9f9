// Name patterns: `*` matches any characters and `?` matches one.

/** The most characters of a pattern. */
export const LONGEST_PATTERN = 1000;

/** Whether the whole text matches the pattern; takes at most the product of both lengths in steps. */
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

/** The shortest form of a pattern: several stars in a row become one. */
export const shortened = (pattern: string): string => pattern.replace(/\*+/g, '*');
