// The arguments of a function of the language, checked for their number.
import { ScriptError } from './error.js';
import type { Arguments, ScriptValue } from './values.js';

/** The arguments of a function that takes no keywords. Throws a TypeError in Python's words. */
export function only(
  name: string,
  { positional, keywords }: Arguments,
  least: number,
  most: number,
): readonly ScriptValue[] {
  if (keywords[0]) throw new ScriptError('TypeError', `${name}() takes no keyword arguments`);
  if (positional.length >= least && positional.length <= most) return positional;
  const noun = (count: number): string => `${count} argument${count === 1 ? '' : 's'}`;
  const expected =
    least === most
      ? `takes ${least === 0 ? 'no arguments' : `exactly ${least === 1 ? 'one argument' : noun(least)}`}`
      : positional.length < least
        ? `expected at least ${noun(least)}`
        : `expected at most ${noun(most)}`;
  const given = least === most ? ` (${positional.length} given)` : `, got ${positional.length}`;
  throw new ScriptError('TypeError', `${name}${least === most ? '()' : ''} ${expected}${given}`);
}

/** The keywords of a call, of which each must be known; `undefined` where the call leaves one out. */
export function keywordsOf<const Names extends readonly string[]>(
  name: string,
  { keywords }: Arguments,
  known: Names,
): { readonly [I in keyof Names]: ScriptValue | undefined } {
  const strange = keywords.find(([word]) => !known.includes(word));
  if (strange) throw new ScriptError('TypeError', `'${strange[0]}' is an invalid keyword argument for ${name}()`);
  const given = new Map(keywords);
  return known.map((word) => given.get(word)) as { readonly [I in keyof Names]: ScriptValue | undefined };
}
