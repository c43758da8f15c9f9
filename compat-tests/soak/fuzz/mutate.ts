// Changes to an input: flipped bits, splices with another, cuts, repeats, numbers and bytes that are odd.
import type { Chance } from './chance.js';
import { NUMBERS, TEXTS } from './grammar.js';

/** Longer ones are cut: what is found is to be read by somebody. */
const LONGEST_BYTES = 100_000;

type Change = (input: Buffer, chance: Chance, other: Buffer) => Buffer;

const CHANGES: readonly Change[] = [
  function flipBit(input, chance) {
    const copy = Buffer.from(input);
    const at = chance.below(copy.length);
    copy[at] = (copy[at] ?? 0) ^ (1 << chance.below(8));
    return copy;
  },
  function setByte(input, chance) {
    const copy = Buffer.from(input);
    copy[chance.below(copy.length)] = chance.of([
      0, 9, 10, 13, 32, 34, 39, 40, 41, 44, 58, 91, 92, 93, 123, 127, 128, 255,
    ]);
    return copy;
  },
  function cut(input, chance) {
    return input.subarray(0, chance.below(input.length));
  },
  function leaveOut(input, chance) {
    const at = chance.below(input.length);
    return Buffer.concat([input.subarray(0, at), input.subarray(at + 1 + chance.below(20))]);
  },
  function repeat(input, chance) {
    const from = chance.below(input.length);
    const part = input.subarray(from, from + 1 + chance.below(40));
    const times = chance.of([2, 3, 10, 100, 1000]);
    return Buffer.concat([input.subarray(0, from), ...Array<Buffer>(times).fill(part), input.subarray(from)]);
  },
  /** Finds what takes time with the square of the length. */
  function repeatToTheEnd(input, chance) {
    const from = chance.below(input.length);
    const part = chance.oneIn(2) ? input.subarray(from, from + 1 + chance.below(6)) : beginnings(chance);
    const rest = chance.oneIn(2) ? input.subarray(from) : Buffer.alloc(0);
    const room = Math.max(0, LONGEST_BYTES - from - rest.length);
    return Buffer.concat([input.subarray(0, from), Buffer.alloc(room, part), rest]);
  },
  function splice(input, chance, other) {
    return Buffer.concat([input.subarray(0, chance.below(input.length)), other.subarray(chance.below(other.length))]);
  },
  function oddNumber(input, chance) {
    return swap(input, /-?\d+(?:\.\d+)?/g, chance.of(NUMBERS), chance);
  },
  function oddText(input, chance) {
    return swap(input, /[A-Za-z_]{2,}/g, chance.of(TEXTS), chance);
  },
  function insert(input, chance) {
    const at = chance.below(input.length);
    return Buffer.concat([input.subarray(0, at), chance.bytes(1 + chance.below(8)), input.subarray(at)]);
  },
  function otherEncoding(input, chance) {
    const text = input.toString('latin1');
    return Buffer.from(chance.oneIn(2) ? `\ufeff${text}` : text, chance.of(['utf8', 'utf16le'] as const));
  },
  function swapLines(input, chance) {
    const lines = input.toString('latin1').split('\n');
    lines.splice(chance.below(lines.length), 0, chance.of(lines));
    return Buffer.from(lines.join('\n'), 'latin1');
  },
];

/** What begins something that need not end, such as a comment. */
const beginnings = (chance: Chance): Buffer =>
  Buffer.from(Array.from({ length: 1 + chance.below(3) }, () => chance.of([...'a1"\'\\/*<([{.-+ \n'])).join(''));

/** Replaces one of the places that a pattern finds. */
function swap(input: Buffer, pattern: RegExp, by: string, chance: Chance): Buffer {
  const text = input.toString('latin1');
  const found = [...text.matchAll(pattern)];
  if (found.length === 0) return input;
  const match = chance.of(found);
  const end = match.index + match[0].length;
  return Buffer.concat([
    Buffer.from(text.slice(0, match.index), 'latin1'),
    Buffer.from(by, 'utf8'),
    Buffer.from(text.slice(end), 'latin1'),
  ]);
}

/** One to four changes of one of the seeds. */
export function mutated(seeds: readonly Buffer[], chance: Chance): Buffer {
  let input = chance.of(seeds);
  for (let left = 1 + chance.below(4); left > 0 && input.length > 0; left--) {
    input = chance.of(CHANGES)(input, chance, chance.of(seeds));
  }
  return input.subarray(0, LONGEST_BYTES);
}
