// The words that differ from a mistyped one in a few letters.
import { distance } from 'fastest-levenshtein';

const MOST_SUGGESTIONS = 3;

export function nearest(word: string, known: readonly string[]): string[] {
  const farthest = Math.max(2, Math.ceil(word.length / 4));
  return [...new Set(known)]
    .filter((candidate) => Math.abs(candidate.length - word.length) <= farthest)
    .map((candidate) => ({ candidate, score: distance(word.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ score }) => score > 0 && score <= farthest)
    .sort((one, other) => one.score - other.score)
    .slice(0, MOST_SUGGESTIONS)
    .map(({ candidate }) => candidate);
}
