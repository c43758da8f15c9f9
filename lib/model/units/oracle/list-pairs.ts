// Prints the pairs of units that conversions.c converts: every spelling of the table to its base units and to a neighbour.
import { parseUnit } from '../parse-unit.js';
import { type UnitRow, unitRows } from '../table.js';
import { formatDimensions } from '../unit.js';

const expressions = [
  ['s', 'Hz'],
  ['kHz', 'ms'],
  ['ft/s', 's/m'],
  ['degC', 'K-1'],
  ['K-1', 'degF'],
  ['millidegC', 'degF'],
  ['degF @ 5', 'degC'],
  ['2 degC', 'degC'],
  ['K @ 273.15', 'degF'],
  ['K/1.8 @ 459.67', 'millikelvin'],
  ['ft.lbf/s', 'kW'],
  ['slug*ft2', 'kg m2'],
  ['W.m-2.K-1', 'BTU/(hour.ft2.degF)'],
  ['furlong/fortnight', 'mm/s'],
  ['mm/day', 'kg m-2 s-1 / (1000 kg m-3)'],
  ['J/(kg K)', 'BTU/lb/degR'],
  ['N.m.s/rad', 'lbf.ft.s/degree_true'],
  ['m³ s-2', 'km3/day2'],
  ['10 m', 'ft'],
  ['km/(l/100)', 'mile/gallon'],
  ['rad/s', 'rpm'],
  ['', '%'],
  ['m', 'kg'],
  ['m', 'm2'],
];

const writable = unitRows.filter(([, names, symbols]) => !/^\S*\d( |$)/.test(symbols || names));

/** A name that ends in a digit is left out: the digit would be read as an exponent. */
function spellings(): string[] {
  return unitRows
    .flatMap(([, names, symbols]) => `${names} ${symbols}`.split(' '))
    .filter((spelling) => /\D$/.test(spelling));
}

/** Spellings by dimensions, without logarithmic units. */
function groups(): Map<string, string[]> {
  const byDimensions = new Map<string, string[]>();
  for (const spelling of spellings()) {
    const { dimensions, logarithmBase } = parseUnit(spelling);
    const key = formatDimensions(dimensions);
    if (logarithmBase === undefined) byDimensions.set(key, [...(byDimensions.get(key) ?? []), spelling]);
  }
  return byDimensions;
}

function pairsOf([dimensions, members]: [string, string[]]): string[][] {
  return members.flatMap((spelling, index) => [
    [spelling, dimensions],
    [spelling, members[(index * 7 + 3) % members.length] ?? dimensions],
  ]);
}

/** The powers that occur in rates and areas, of the first spelling of each unit. */
function powersOf([, names, symbols]: UnitRow): string[][] {
  const spelling = (symbols || names).split(' ')[0] ?? '';
  const { dimensions, logarithmBase } = parseUnit(spelling);
  if (logarithmBase !== undefined) return [];
  const base = formatDimensions(dimensions);
  return ['^2', '^-1', '^-2'].map((power) => [`(${spelling})${power}`, `(${base})${power}`]);
}

for (const [from, to] of [...expressions, ...[...groups()].flatMap(pairsOf), ...writable.flatMap(powersOf)])
  process.stdout.write(`${from}\t${to}\n`);
