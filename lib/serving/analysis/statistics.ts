// What a stretch of samples amounts to.

export interface Statistics {
  readonly count: number;
  /** Places of samples among the values: the first and the last number, the first of the least and of the greatest. */
  readonly first: number;
  readonly last: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  /** Root of the mean of the squares. */
  readonly rms: number;
}

/** Of all numbers, each counted alike; what is no number is left out. Undefined without any. */
export function statisticsOf(values: readonly (number | null)[]): Statistics | undefined {
  const isNumber = (value: number | null): value is number => value !== null && !Number.isNaN(value);
  const first = values.findIndex(isNumber);
  if (first < 0) return undefined;
  // Offsets from the first keep the digits of values that are large and close to each other.
  const base = values[first] as number;
  let [least, greatest, last] = [first, first, first];
  let [count, sum, squares] = [0, 0, 0];
  for (const [place, value] of values.entries()) {
    if (!isNumber(value)) continue;
    if (value < (values[least] as number)) least = place;
    if (value > (values[greatest] as number)) greatest = place;
    last = place;
    count++;
    sum += value - base;
    squares += value * value;
  }
  return { count, first, last, least, greatest, mean: base + sum / count, rms: Math.sqrt(squares / count) };
}
