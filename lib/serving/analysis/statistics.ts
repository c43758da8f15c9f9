// What a stretch of samples amounts to.

export interface Statistics {
  readonly count: number;
  readonly least: number;
  readonly greatest: number;
  readonly mean: number;
  /** Root of the mean of the squares. */
  readonly rms: number;
}

/** Of all numbers, each counted alike; what is no number is left out. Undefined without any. */
export function statisticsOf(values: readonly (number | null)[]): Statistics | undefined {
  const numbers = values.filter((value): value is number => value !== null && !Number.isNaN(value));
  const [first] = numbers;
  if (first === undefined) return undefined;
  let [least, greatest, sum, squares] = [first, first, 0, 0];
  for (const value of numbers) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
    // Offsets from the first keep the digits of values that are large and close to each other.
    sum += value - first;
    squares += value * value;
  }
  const count = numbers.length;
  return { count, least, greatest, mean: first + sum / count, rms: Math.sqrt(squares / count) };
}
