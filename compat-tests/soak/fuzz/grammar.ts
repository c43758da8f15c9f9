// Texts made by a grammar: rules by name, with choices of parts; `<name>` in a part is another rule.
import type { Chance } from './chance.js';

export type Grammar = Readonly<Record<string, readonly string[]>>;

/** Deeper than this, the first choice of a rule is taken: it leads to an end. */
const DEEPEST = 12;

export function generate(grammar: Grammar, rule: string, chance: Chance, depth = 0): string {
  const choices = grammar[rule];
  if (!choices) throw new Error(`the grammar has no rule ${rule}`);
  const part = depth > DEEPEST ? (choices[0] as string) : chance.of(choices);
  return part.replace(/<(\w+)>/g, (_, name: string) => generate(grammar, name, chance, depth + 1));
}

/** What is odd about numbers, wherever they stand. */
export const NUMBERS: readonly string[] = [
  '0',
  '1',
  '-1',
  '2',
  '-0.0',
  '0.1',
  '255',
  '65536',
  '2147483648',
  '-2147483649',
  '4294967296',
  '9007199254740993',
  '18446744073709551616',
  '1e308',
  '1e309',
  '-1e999',
  '5e-324',
  '1e-400',
  '9'.repeat(400),
  'nan',
  'inf',
  '0x1p4',
  '1_000',
  '007',
];

/** What is odd about texts. */
export const TEXTS: readonly string[] = [
  '',
  'x',
  'x'.repeat(300),
  '\\',
  '\\"',
  '\\x00',
  '\\u0000',
  '\0',
  'é',
  '\u{1f600}',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  '../../../etc/passwd',
  '/dev/zero',
  '%s%n',
  '\r\n\r\n',
  '*',
  '[',
];
