// "Did you mean": the known names nearest to an unknown one.

import { distance } from 'fastest-levenshtein';

/** Longer names get no suggestions, because nobody types them by hand. */
const LONGEST_NAME = 128;
/** What comparing letter by letter may cost; more would make all clients wait for one client's typing error. */
const MOST_LETTERS = 100_000;
/** What a name costs besides its letters, and how many letters of the other name one letter is compared with at once. */
const LETTERS_OF_NAME = 10;
const LETTERS_AT_ONCE = 32;
/** How many names are checked for their length alone. */
const MOST_LOOKED_AT = 100_000;

/**
 * At most `limit` of the candidates, nearest first, without those that differ too much. Only a bounded number of names
 * of similar length is compared: among very many names the nearest may be missed.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  if (name.length > LONGEST_NAME) return [];
  const asked = name.toLowerCase();
  const farthest = Math.max(2, Math.ceil(asked.length / 3));
  const scored: { candidate: string; score: number }[] = [];
  const rounds = Math.ceil(asked.length / LETTERS_AT_ONCE);
  let [lookedAt, letters] = [0, 0];
  for (const candidate of candidates) {
    if (++lookedAt > MOST_LOOKED_AT || letters >= MOST_LETTERS) break;
    // The distance is at least the difference in length.
    if (Math.abs(candidate.length - asked.length) > farthest) continue;
    letters += LETTERS_OF_NAME + rounds * candidate.length;
    const score = distance(asked, candidate.toLowerCase());
    if (score <= farthest) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

/** `, did you mean a, b or c?`, or empty text for no names. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  const last = names.at(-1) as string;
  return `; did you mean ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last}?`;
}
