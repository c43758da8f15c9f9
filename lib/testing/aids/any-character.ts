// Any character of Unicode, for random texts: fast-check's own unit of this kind keeps 100 MB in every process that uses it.
import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 } as const;
const COUNT = 0x110000 - SURROGATES.count;

const characterAt = (index: number): string =>
  String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count);

/** The way back lets fast-check try words that are known for trouble, such as `__proto__`. */
function indexOf(text: unknown): number {
  const point = typeof text === 'string' ? text.codePointAt(0) : undefined;
  const index = point === undefined || point < SURROGATES.first ? point : point - SURROGATES.count;
  if (index === undefined || index < 0 || index >= COUNT || characterAt(index) !== text)
    throw new RangeError(`${text} is no character`);
  return index;
}

/** The unit of a text, as in `fc.string({ unit: anyCharacter })`. */
export const anyCharacter = fc.integer({ min: 0, max: COUNT - 1 }).map(characterAt, indexOf);
