// The names and symbols of the unit table, with prefixes, and the nearest ones to a misspelling.
import { distance } from 'fastest-levenshtein';
import { prefixNames, prefixSymbols, type UnitRow, unitRows } from './table.js';

interface NameIndex {
  /** Rows by name in lower case. */
  readonly names: ReadonlyMap<string, UnitRow>;
  readonly symbols: ReadonlyMap<string, UnitRow>;
}

let nameIndex: NameIndex | undefined;

function readyIndex(): NameIndex {
  nameIndex ??= {
    names: indexBy(([, names]) => names, lowerCase),
    symbols: indexBy(
      ([, , symbols]) => symbols,
      (symbol) => symbol,
    ),
  };
  return nameIndex;
}

function indexBy(spellings: (row: UnitRow) => string, key: (text: string) => string): Map<string, UnitRow> {
  const index = new Map<string, UnitRow>();
  for (const row of unitRows) {
    for (const spelling of words(spellings(row))) index.set(key(spelling), row);
  }
  return index;
}

function words(text: string): string[] {
  return text === '' ? [] : text.split(' ');
}

/** Changes ASCII letters only, as C does: `Å` and `å` stay different letters. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** A no-break space stands for the underscore of a name. */
function findRow(spelling: string): UnitRow | undefined {
  const { names, symbols } = readyIndex();
  return names.get(lowerCase(spelling).replaceAll('\u00a0', '_')) ?? symbols.get(spelling);
}

function longestPrefix(text: string, prefixes: ReadonlyMap<string, number>): string | undefined {
  const fitting = [...prefixes.keys()].filter((prefix) => text.startsWith(prefix));
  return fitting.sort((a, b) => b.length - a.length)[0];
}

/**
 * The unit of an identifier and the product of its prefixes, or undefined. Names may be in any letter case, symbols
 * not; any number of name prefixes is allowed, and one symbol prefix. (UDUNITS-2: parser.y, rule for ID.)
 */
export function findUnit(identifier: string): { readonly row: UnitRow; readonly prefix: number } | undefined {
  let prefix = 1;
  let rest = identifier;
  let symbolPrefixSeen = false;
  while (rest !== '') {
    const row = findRow(rest);
    if (row !== undefined) return { row, prefix };
    const name = longestPrefix(lowerCase(rest), prefixNames);
    const symbol = symbolPrefixSeen ? undefined : longestPrefix(rest, prefixSymbols);
    const found = name ?? symbol;
    if (found === undefined) return undefined;
    symbolPrefixSeen ||= name === undefined;
    prefix *= (name === undefined ? prefixSymbols : prefixNames).get(found) ?? 1;
    rest = rest.slice(found.length);
  }
  return undefined;
}

/** At most three known names or symbols nearest to an unknown one, nearest first; empty when none is similar. */
export function nearestUnitNames(identifier: string): string[] {
  const farthest = Math.max(1, Math.floor(identifier.length / 3));
  const spellings = unitRows.flatMap(([, names, symbols]) => [...words(names), ...words(symbols)]);
  const scored = spellings.map((spelling) => ({
    spelling,
    score: distance(lowerCase(spelling), lowerCase(identifier)),
  }));
  const near = scored.filter(({ spelling, score }) => score <= farthest && score < spelling.length);
  return near
    .sort((a, b) => a.score - b.score)
    .slice(0, 3)
    .map(({ spelling }) => spelling);
}
