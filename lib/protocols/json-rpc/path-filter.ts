// The parameter `without`: patterns of paths that are left out of lists, trees and searches.
import { z } from 'zod';
import { Glob, LONGEST_PATTERN } from './glob.js';

const MOST_PATTERNS = 20;
/** How many paths are looked at between two turns: each by 20 patterns of 1000 characters takes a tenth of a millisecond. */
export const FILTERED_AT_ONCE = 32;

const pattern = z.string().max(LONGEST_PATTERN, { error: `expected at most ${LONGEST_PATTERN} characters` });

export const without = z
  .union([pattern, z.array(pattern).max(MOST_PATTERNS)], {
    error: `expected a pattern, or at most ${MOST_PATTERNS} patterns`,
  })
  .optional()
  .describe('Leaves out paths that fit: * is any characters, ? is one; what lies below such a path is left out too');

/** Whether a path, or an object, structure or array that it lies in, fits one of the patterns. */
export function leavingOut(given: z.output<typeof without>): (path: string) => boolean {
  const globs = [...new Set(given === undefined ? [] : [given].flat())].map((text) => new Glob(text));
  return (path) => globs.some((glob) => glob.fits(path, '.['));
}
