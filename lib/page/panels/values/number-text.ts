// Numbers as people read them: significant digits, no noise, texts of one width while a value moves.

/** Significant digits that a panel shows unless its reader chooses others. */
export const DEFAULT_DIGITS = 6;
export const MOST_DIGITS = 17;

/** Magnitudes between these are written without an exponent. */
const SMALLEST_PLAIN = 1e-4;
const LARGEST_PLAIN = 1e9;

/**
 * A number with so many significant digits; zeros at the end stay, so that a moving value keeps its width.
 * Integers are written whole up to 2^53.
 */
export function numberText(value: number, digits: number = DEFAULT_DIGITS): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  if (Number.isSafeInteger(value)) return signed(value, String(Math.abs(value)));
  const magnitude = Math.abs(value);
  const isPlain = magnitude >= SMALLEST_PLAIN && magnitude < LARGEST_PLAIN;
  return signed(value, isPlain ? plain(magnitude, digits) : exponential(magnitude, digits));
}

/** A typographic minus is as wide as a digit. */
const signed = (value: number, text: string): string => (value < 0 || Object.is(value, -0) ? `−${text}` : text);

function plain(magnitude: number, digits: number): string {
  const decimals = digits - 1 - Math.floor(Math.log10(magnitude));
  return magnitude.toFixed(Math.min(Math.max(decimals, 0), 20));
}

function exponential(magnitude: number, digits: number): string {
  const [mantissa = '', exponent = ''] = magnitude.toExponential(Math.max(digits - 1, 0)).split('e');
  return `${mantissa}e${exponent.replace('+', '').replace('-', '−')}`;
}

/** A number of seconds as a clock: 1:02:03.45; below a minute as seconds. */
export function clockText(seconds: number, decimals = 2): string {
  if (!Number.isFinite(seconds)) return numberText(seconds);
  const total = Number(Math.abs(seconds).toFixed(decimals));
  const sign = seconds < 0 && total > 0 ? '−' : '';
  if (total < 60) return `${sign}${total.toFixed(decimals)} s`;
  const whole = Math.floor(total);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = (total - 60 * Math.floor(whole / 60)).toFixed(decimals).padStart(decimals > 0 ? decimals + 3 : 2, '0');
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, '0')}:${rest}` : `${sign}${minutes}:${rest}`;
}

/** Bytes in decimal multiples: 1.2 MB. */
export function bytesText(bytes: number): string {
  const names = ['B', 'kB', 'MB', 'GB', 'TB'];
  let scaled = bytes;
  let index = 0;
  while (scaled >= 1000 && index < names.length - 1) {
    scaled /= 1000;
    index++;
  }
  return `${index === 0 || scaled >= 100 ? Math.round(scaled) : scaled.toFixed(1)} ${names[index]}`;
}
