// "Did you mean": the known names nearest to an unknown one.
import { distance } from 'fastest-levenshtein';

/** Nobody types a longer name by hand. */
const LONGEST_NAME = 128;
/** Names that are compared letter by letter; more of them would make everybody wait for one typing error. */
const MOST_COMPARED = 5_000;
/** Names that are looked at for their length alone. */
const MOST_LOOKED_AT = 100_000;

/**
 * At most `limit` of the candidates, nearest first; those that share too little with the name are left out. Only names
 * of like length are compared, and a bounded number of them: of a great many, the nearest may be missed.
 */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  if (name.length > LONGEST_NAME) return [];
  const asked = name.toLowerCase();
  const farthest = Math.max(2, Math.ceil(asked.length / 3));
  const scored: { candidate: string; score: number }[] = [];
  let [lookedAt, compared] = [0, 0];
  for (const candidate of candidates) {
    if (++lookedAt > MOST_LOOKED_AT || compared >= MOST_COMPARED) break;
    // A difference in length is a distance of at least as much.
    if (Math.abs(candidate.length - asked.length) > farthest) continue;
    compared++;
    const score = distance(asked, candidate.toLowerCase());
    if (score <= farthest) scored.push({ candidate, score });
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, limit).map((entry) => entry.candidate);
}

/** `, did you mean a, b or c?`, or nothing. */
export function didYouMean(names: readonly string[]): string {
  if (names.length === 0) return '';
  const last = names.at(-1) as string;
  return `; did you mean ${names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last}?`;
}
