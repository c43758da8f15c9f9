// What stands beside the ticks of an axis: just enough decimals to tell neighbours apart, and times that are read at once.
import { numberText } from '../values/number-text.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Seconds since 1970 from here on are a date: an elapsed time of three years is none. */
const FIRST_DATE = 100_000_000;

/** Steps of ticks on a time axis, in seconds: parts of a second, then whole seconds, minutes, hours and days. */
export const TIME_STEPS: readonly number[] = [
  ...[1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1].flatMap((step) => [step, 2 * step, 5 * step]),
  ...[1, 2, 5, 10, 15, 30].flatMap((step) => [step]),
  ...[1, 2, 5, 10, 15, 30].map((step) => step * MINUTE),
  ...[1, 2, 3, 6, 12].map((step) => step * HOUR),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].map((step) => step * DAY),
];

const stepOf = (splits: readonly number[]): number =>
  splits.length > 1 ? Math.abs((splits[1] as number) - (splits[0] as number)) : 1;

/** Decimals that tell neighbours apart. */
function decimalsOf(splits: readonly number[]): number {
  const step = stepOf(splits);
  let decimals = Math.max(-Math.floor(Math.log10(step) + 1e-9), 0);
  const isWhole = (): boolean => Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) < 1e-6;
  while (decimals < 9 && !isWhole()) decimals++;
  return decimals;
}

/**
 * Seconds below a minute, `m:ss` and `h:mm:ss` from there on, `2 h` at whole hours of long axes, `3 d` at whole days.
 * Seconds since 1970 have the time of day, and the date where it begins.
 */
export function timeTexts(splits: readonly number[]): string[] {
  const decimals = decimalsOf(splits);
  const greatest = Math.max(...splits.map(Math.abs), 0);
  if (greatest < MINUTE) return splits.map((split) => fixed(split, decimals));
  const step = stepOf(splits);
  if (splits.every((split) => split >= FIRST_DATE)) return splits.map((split, k) => dateText(split, step, k, decimals));
  return splits.map((split) => elapsedText(split, step, decimals, greatest));
}

function elapsedText(split: number, step: number, decimals: number, greatest: number): string {
  const sign = split < -0.5 * 10 ** -decimals ? '−' : '';
  const total = Number(Math.abs(split).toFixed(decimals));
  if (total < MINUTE && greatest < HOUR) return `${sign}${total.toFixed(decimals)}`;
  const days = greatest >= DAY ? Math.floor(total / DAY) : 0;
  const rest = total - days * DAY;
  const day = days > 0 ? `${days} d` : '';
  if (greatest >= DAY && rest === 0) return total === 0 ? '0' : `${sign}${day}`;
  const [hours, minutes] = [Math.floor(rest / HOUR), Math.floor(rest / MINUTE) % 60];
  const clock =
    step >= MINUTE && greatest >= HOUR
      ? `${hours}:${two(minutes)} h`
      : hours > 0 || greatest >= HOUR
        ? `${hours}:${two(minutes)}:${two(rest % MINUTE, decimals)}`
        : `${minutes}:${two(rest % MINUTE, decimals)}`;
  return `${sign}${day}${day && ' '}${clock}`;
}

function dateText(split: number, step: number, index: number, decimals: number): string {
  const date = new Date(split * 1000).toISOString();
  const day = date.slice(0, 10);
  if (step >= DAY) return day;
  const isMidnight = date.slice(11, 19) === '00:00:00';
  const clock = step >= MINUTE ? date.slice(11, 16) : `${date.slice(11, 17)}${two(split % MINUTE, decimals)}`;
  return isMidnight ? day : index === 0 && step >= HOUR ? `${day.slice(5)} ${clock}` : clock;
}

const two = (value: number, decimals = 0): string =>
  value.toFixed(decimals).padStart(decimals > 0 ? decimals + 3 : 2, '0');

export function valueTexts(splits: readonly number[]): string[] {
  const decimals = decimalsOf(splits);
  const isPlain = splits.every((split) => Math.abs(split) < 1e6) && decimals <= 5;
  // Ticks are sums, so that zero may come out as a rounding error.
  const zero = 1e-6 * stepOf(splits);
  return splits.map((split) => (isPlain ? fixed(split, decimals) : numberText(Math.abs(split) < zero ? 0 : split, 4)));
}

/** Of a logarithmic axis: whole decades only, so that their distance tells the scale. Null has no text. */
export function decadeTexts(splits: readonly (number | null)[]): string[] {
  return splits.map((split) => {
    if (split === null) return '';
    const exponent = Math.log10(split);
    if (Math.abs(exponent - Math.round(exponent)) > 1e-9) return '';
    return Math.abs(exponent) <= 4
      ? String(Number(split.toPrecision(1)))
      : `1e${Math.round(exponent)}`.replace('-', '−');
  });
}

const fixed = (value: number, decimals: number): string =>
  value
    .toFixed(decimals)
    .replace(/^-(?=.*[1-9])/, '−')
    .replace(/^-/, '');
