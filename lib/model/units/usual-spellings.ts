// Spellings that engineers use and UDUNITS-2 does not know, or knows as something else, and what they mean.

/** By spelling in lower case; the likeliest meaning first. `mph` is a milliphot to UDUNITS-2, and `nmi` a nanomile. */
const meanings: ReadonlyMap<string, readonly string[]> = new Map([
  ['d', ['degree']],
  ['deg', ['degree']],
  ['degs', ['degree']],
  ['dg', ['degree']],
  ['dps', ['degree/s']],
  ['deg c', ['degC']],
  ['deg f', ['degF']],
  ['rads', ['rad']],
  ['rps', ['rad/s']],
  ['amin', ['arcminute']],
  ['arcmins', ['arcminute']],
  ['arc min', ['arcminute']],
  ['asec', ['arcsecond']],
  ['arcsecs', ['arcsecond']],
  ['arc sec', ['arcsecond']],
  ['mas', ['milliarcsecond']],
  ['revs', ['revolution']],
  ['cyc', ['cycle']],
  ['kph', ['km/hour']],
  ['kmh', ['km/hour']],
  ['kmph', ['km/hour']],
  ['mph', ['mile/hour']],
  ['fps', ['ft/s']],
  ['ips', ['in/s']],
  ['mps', ['m/s']],
  ['kn', ['knot', 'kN']],
  ['g', ['gravity']],
  ['gs', ['gravity']],
  ["g's", ['gravity']],
  ['gees', ['gravity']],
  ['grav', ['gravity']],
  ['lb', ['lbf']],
  ['lbs', ['lb', 'lbf']],
  ['oz', ['ounce_force', 'avoirdupois_ounce']],
  ['nm', ['N m', 'nmile']],
  ['nmi', ['nmile']],
  ['nautmi', ['nmile']],
  ['ft-lb', ['ft lbf']],
  ['ft-lbs', ['ft lbf']],
  ['ft lb', ['ft lbf']],
  ['ft_lbf', ['ft lbf']],
  ['in-lb', ['in lbf']],
  ['in-lbs', ['in lbf']],
  ['ins', ['in']],
  ['sqft', ['ft2']],
  ['mins', ['min']],
  ['hrs', ['hour']],
  ['psf', ['lbf/ft2']],
  ['psia', ['psi']],
  ['psig', ['psi']],
  ['ah', ['A hour']],
  ['kb', ['kilobyte']],
  ['mb', ['megabyte', 'millibar']],
  ['gb', ['gigabyte']],
  ['ly', ['light_year']],
  ['pc', ['parsec']],
  ['pct', ['percent']],
  ['none', ['1']],
  ['unitless', ['1']],
  ['dimensionless', ['1']],
  ['nd', ['1']],
  ['n/a', ['1']],
]);

/** Clients' texts may be long; what somebody means is short. */
const longestMeant = 60;

/** What a text in such spellings means, likeliest first: `deg/s` gives `degree/s`; empty for a text without any. */
export function meantUnits(text: string): readonly string[] {
  if (text.length > longestMeant) return [];
  const whole = meanings.get(text.trim().toLowerCase());
  if (whole) return whole;
  return [...new Set([replaced(text, 0), replaced(text, 1)])].filter((meant) => meant !== text);
}

function replaced(text: string, choice: number): string {
  return text.replace(/[A-Za-z_]+/g, (word) => {
    const found = meanings.get(word.toLowerCase());
    const meant = found?.[choice] ?? found?.[0] ?? word;
    return /[/ ]/.test(meant) ? `(${meant})` : meant;
  });
}

/** The end of a sentence that names what a text means; empty without a meaning that `check` takes: it throws for others. */
export function meantWhere(text: string, check?: (meant: string) => unknown): string {
  const fitting = meantUnits(text).filter((meant) => {
    try {
      check?.(meant);
      return true;
    } catch {
      return false;
    }
  });
  return fitting.length === 0 ? '' : `; did you mean ${fitting.map((meant) => `"${meant}"`).join(' or ')}?`;
}
