// "Did you mean": the known names nearest to an unknown one.
import { distance } from 'fastest-levenshtein';

/** At most `limit` of the candidates, nearest first; those that share too little with the name are left out. */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const asked = name.toLowerCase();
  const farthest = Math.max(2, Math.ceil(asked.length / 3));
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of candidates) {
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
