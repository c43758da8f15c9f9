// What many results amount to: percentiles, mean, deviation, and how many lie in each of some ranges.

export interface Summary {
  readonly count: number;
  readonly mean: number;
  /** Of a sample, with n - 1; NaN of one result. */
  readonly deviation: number;
  readonly percentiles: readonly (readonly [percent: number, value: number])[];
}

const PERCENTS = [0, 1, 5, 25, 50, 75, 95, 99, 100];

/** Undefined without results. What is no number is left out. */
export function summaryOf(values: readonly number[]): Summary | undefined {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  const [first] = sorted;
  if (first === undefined) return undefined;
  const count = sorted.length;
  const mean = first + sorted.reduce((sum, value) => sum + (value - first), 0) / count;
  const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return {
    count,
    mean,
    deviation: Math.sqrt(squares / (count - 1)),
    percentiles: PERCENTS.map((percent) => [percent, percentile(sorted, percent)]),
  };
}

/** Between two results it is interpolated, as spreadsheets and NumPy do. @param sorted has one at least. */
export function percentile(sorted: readonly number[], percent: number): number {
  const at = ((sorted.length - 1) * percent) / 100;
  const [low, high] = [sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const MOST_BINS = 60;

/** Ranges of one width, by the rule of Freedman and Diaconis; the last one includes its end. */
export function histogramOf(values: readonly number[]): Bin[] {
  const sorted = values.filter(Number.isFinite).sort((one, other) => one - other);
  const [least, greatest] = [sorted[0], sorted.at(-1)];
  if (least === undefined || greatest === undefined) return [];
  if (greatest === least) return [{ from: least - 0.5, to: least + 0.5, count: sorted.length }];
  const spread = percentile(sorted, 75) - percentile(sorted, 25);
  const wanted = Math.ceil((greatest - least) / ((2 * spread) / Math.cbrt(sorted.length)));
  const bins = Math.max(1, Math.min(Number.isFinite(wanted) ? wanted : 10, MOST_BINS));
  const width = (greatest - least) / bins;
  const counts = Array.from({ length: bins }, () => 0);
  for (const value of sorted) {
    const at = Math.min(bins - 1, Math.floor((value - least) / width));
    counts[at] = (counts[at] as number) + 1;
  }
  return counts.map((count, k) => ({ from: least + k * width, to: least + (k + 1) * width, count }));
}
