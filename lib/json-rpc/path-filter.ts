// The parameter `without`: patterns of paths that are left out of lists, trees and searches.
import { z } from 'zod';
import type { Slice } from '../scheduling/slice.js';
import { Glob, LONGEST_PATTERN } from './glob.js';

const MOST_PATTERNS = 20;

const pattern = z.string().max(LONGEST_PATTERN, { error: `expected at most ${LONGEST_PATTERN} characters` });

export const without = z
  .union([pattern, z.array(pattern).max(MOST_PATTERNS)], {
    error: `expected a pattern, or at most ${MOST_PATTERNS} patterns`,
  })
  .optional()
  .describe('Leaves out paths that fit: * is any characters, ? is one; what lies below such a path is left out too');

/** Whether a path, or an object, structure or array that it lies in, fits one of the patterns; counts what that costs. */
export function leavingOut(given: z.output<typeof without>, slice: Slice): (path: string) => boolean {
  const globs = [...new Set(given === undefined ? [] : [given].flat())].map((text) => new Glob(text));
  return (path) =>
    globs.some((glob) => {
      slice.count(glob.stepsFor(path));
      return glob.fits(path, '.[');
    });
}
