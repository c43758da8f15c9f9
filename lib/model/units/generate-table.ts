// Writes table.ts from the XML database of UDUNITS-2. Run by hand after a build, with the folder of the XML files:
// `node build/lib/model/units/generate-table.js /usr/share/xml/udunits > lib/model/units/table.ts`, then format it (Debian: package libudunits2-data).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const unitFiles = ['base', 'derived', 'accepted', 'common'];

/** UCAR asks that its notice stay with the data: it is in UDUNITS-NOTICE beside the table. */
const heading = `// The unit database of UDUNITS-2, generated from its XML by generate-table.ts; do not edit.
// Copyright 2008, 2009 University Corporation for Atmospheric Research; terms and disclaimer in UDUNITS-NOTICE.

/** A unit: its definition, its names (singulars and plurals) and its symbols, the latter two separated by blanks. */
export type UnitRow = readonly [definition: string, names: string, symbols: string];

/** The definition of a unit that is a base unit. */
export const baseDefinition = '${'=base'}';
export const dimensionlessDefinition = '${'=dimensionless'}';
`;

function readXml(folder: string, name: string): string {
  const text = readFileSync(join(folder, `udunits2-${name}.xml`), 'latin1');
  return text
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

/** The contents of every element with that tag, including nested ones. */
function contents(xml: string, tag: string): string[] {
  const found = xml.matchAll(new RegExp(`<${tag}(?:\\s[^>]*)?>([\\s\\S]*?)</${tag}>`, 'g'));
  return [...found].map((match) => (match[1] ?? '').trim());
}

/** UDUNITS-2 forms a plural for every name without one, even with `<noplural/>`, because it reads the name first. */
function pluralOf(singular: string): string {
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return /(?:[sxz]|ch|sh)$/.test(singular) ? `${singular}es` : `${singular}s`;
}

function namesIn(unit: string): string[] {
  return contents(unit, 'name').flatMap((name) => {
    const [singular] = contents(name, 'singular');
    const [plural] = contents(name, 'plural');
    if (singular === undefined) throw new Error(`a name without singular: ${name}`);
    return [singular, plural ?? pluralOf(singular)];
  });
}

function definitionOf(unit: string): string {
  if (/<base\s*\/>/.test(unit)) return '=base';
  if (/<dimensionless\s*\/>/.test(unit)) return '=dimensionless';
  const [definition] = contents(unit, 'def');
  if (definition === undefined) throw new Error(`a unit without definition: ${unit}`);
  return definition;
}

function quoted(text: string): string {
  return text.includes("'") ? JSON.stringify(text) : `'${text}'`;
}

function unitRows(folder: string): string[] {
  const units = unitFiles.flatMap((name) => contents(readXml(folder, name), 'unit'));
  return units.map((unit) => {
    const cells = [definitionOf(unit), namesIn(unit).join(' '), contents(unit, 'symbol').join(' ')];
    return `  [${cells.map(quoted).join(', ')}],`;
  });
}

function prefixRows(folder: string, tag: 'name' | 'symbol'): string[] {
  return contents(readXml(folder, 'prefixes'), 'prefix').flatMap((prefix) => {
    const value = Number(contents(prefix, 'value')[0]);
    return contents(prefix, tag).map((spelling) => `  [${quoted(spelling)}, ${value}],`);
  });
}

function generate(folder: string): string {
  const prefixes = 'ReadonlyMap<string, number> = new Map([';
  return [
    heading,
    `/** Prefixes that go before names, in any letter case. */\nexport const prefixNames: ${prefixes}`,
    ...prefixRows(folder, 'name'),
    `]);\n\n/** Prefixes that go before symbols; letter case counts. */\nexport const prefixSymbols: ${prefixes}`,
    ...prefixRows(folder, 'symbol'),
    ']);\n\nexport const unitRows: readonly UnitRow[] = [',
    ...unitRows(folder),
    '];\n',
  ].join('\n');
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('expected the folder of the UDUNITS-2 XML files as argument');
process.stdout.write(generate(folder));
