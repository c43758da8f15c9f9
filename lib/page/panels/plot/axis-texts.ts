// What stands beside the ticks of an axis: just enough decimals to tell neighbours apart.
import { clockText, numberText } from '../values/number-text.js';

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

export function timeTexts(splits: readonly number[]): string[] {
  const decimals = decimalsOf(splits);
  const isLong = splits.some((split) => Math.abs(split) >= 60);
  return splits.map((split) => (isLong ? clockText(split, decimals).replace(/ s$/, '') : `${fixed(split, decimals)}`));
}

export function valueTexts(splits: readonly number[]): string[] {
  const decimals = decimalsOf(splits);
  const isPlain = splits.every((split) => Math.abs(split) < 1e6) && decimals <= 5;
  // Ticks are sums, so that zero may come out as a rounding error.
  const zero = 1e-6 * stepOf(splits);
  return splits.map((split) => (isPlain ? fixed(split, decimals) : numberText(Math.abs(split) < zero ? 0 : split, 4)));
}

const fixed = (value: number, decimals: number): string =>
  value
    .toFixed(decimals)
    .replace(/^-(?=.*[1-9])/, '−')
    .replace(/^-/, '');
