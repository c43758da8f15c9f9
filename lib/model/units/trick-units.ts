// Translates old Trick spellings of units to UDUNITS-2.

/**
 * Trick's own spelling to the spelling that it shows (sim_services/UdUnits/map_trick_units_to_udunits.cpp). `lbm`, `rev`, `n.m.`,
 * `r`, `as`, `am` and `--` are certain; the others are decided here by what the letters meant in Trick's own units package:
 * `d` a degree (not a day), `M` a mile, `oz` the force (UDUNITS-2's `oz` is a volume), `dB` a tenth of a bel of a pure ratio.
 */
const trickSpellings: ReadonlyMap<string, string> = new Map([
  ['--', '1'],
  ['one', '1'],
  ['cnt', 'count'],
  ['r', 'rad'],
  ['d', 'degree'],
  ['as', 'arcsecond'],
  ['am', 'arcminute'],
  ['rev', 'revolution'],
  ['M', 'mile'],
  ['n.m.', 'nmile'],
  ['sl', 'slug'],
  ['mt', 'metric_ton'],
  ['lbm', 'lb'],
  ['oz', 'ounce_force'],
  ['v', 'volt'],
  ['C', 'degC'],
  ['F', 'degF'],
  ['R', 'degR'],
  ['TNT', 'ton_TNT'],
  ['Wh', 'watthour'],
  ['kWh', 'kilowatthour'],
  ['gal', 'gallon'],
  ['dB', '0.1 lg(re 1)'],
]);

const separators = /([*/^()])/;
const withExponent = /^(.+?)([23])$/;

/**
 * The text with each old spelling replaced: `lbm*ft2` becomes `lb*ft2`, `--` becomes `1`. Tokens end at `*`, `/`, `^`,
 * `(` and `)`; a 2 or 3 at a token's end is an exponent. Everything else stays unchanged.
 */
export function mapTrickUnits(text: string): string {
  return text.split(separators).map(mapToken).join('');
}

function mapToken(token: string): string {
  const whole = trickSpellings.get(token);
  if (whole !== undefined) return whole;
  const [, name = '', exponent = ''] = withExponent.exec(token) ?? [];
  const spelling = trickSpellings.get(name);
  return spelling === undefined ? token : spelling + exponent;
}
