// Finds texts in texts; the block pays before a search, which cannot be stopped halfway.
import { ScriptError } from './error.js';
import { CHARACTERS_PER_STEP, type Meter } from './meter.js';

const LONGEST_SEARCH = 2e7;
/** A search that may compare more characters than this is made by a method whose time grows only with the length. */
const LONGEST_PLAIN_SEARCH = 2e5;

export const isInText = (item: string, text: string, meter: Meter): boolean =>
  placesOf(item, text, meter, 1).length > 0;

/**
 * Where a text begins in another one, from left to right, without overlaps. Throws a ScriptError for texts too long.
 * @param most how many places are wanted.
 */
export function placesOf(item: string, text: string, meter: Meter, most = Number.POSITIVE_INFINITY): number[] {
  if (item.length * text.length > LONGEST_SEARCH)
    throw new ScriptError('RuntimeError', 'texts this long are not searched for each other');
  meter.spend((item.length + text.length) / (CHARACTERS_PER_STEP / 8));
  const isLong = item.length * text.length > LONGEST_PLAIN_SEARCH && item.length > 1;
  return isLong ? placesInOnePass(item, text, most) : plainPlaces(item, text, most);
}

function plainPlaces(item: string, text: string, most: number): number[] {
  const places: number[] = [];
  const step = Math.max(1, item.length);
  for (let at = text.indexOf(item); at >= 0 && places.length < most; at = text.indexOf(item, at + step)) {
    places.push(at);
    // An empty text is also found once behind the last character.
    if (at >= text.length) break;
  }
  return places;
}

/** Knuth, Morris and Pratt: each character of the text is looked at twice at most. */
function placesInOnePass(item: string, text: string, most: number): number[] {
  const borders = bordersOf(item);
  const places: number[] = [];
  let matched = 0;
  for (let at = 0; at < text.length && places.length < most; at++) {
    while (matched > 0 && item.charCodeAt(matched) !== text.charCodeAt(at)) matched = borders[matched - 1] as number;
    if (item.charCodeAt(matched) === text.charCodeAt(at)) matched++;
    if (matched < item.length) continue;
    places.push(at + 1 - item.length);
    matched = 0;
  }
  return places;
}

/** For each beginning of a text, how much of its start is also its end. */
function bordersOf(text: string): Int32Array {
  const borders = new Int32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at++) {
    while (matched > 0 && text.charCodeAt(matched) !== text.charCodeAt(at)) matched = borders[matched - 1] as number;
    if (text.charCodeAt(matched) === text.charCodeAt(at)) matched++;
    borders[at] = matched;
  }
  return borders;
}
