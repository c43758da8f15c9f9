// The amplitude spectrum of evenly spaced samples: a Hann window and a fast Fourier transform.

export interface Spectrum {
  readonly frequencies: number[];
  /** Of a sine its amplitude, in the units of the samples. */
  readonly amplitudes: number[];
}

/** The samples have no spectrum; the message is one sentence. */
export class SpectrumError extends Error {
  override readonly name = 'SpectrumError';
}

const LEAST_SAMPLES = 16;
/** More take 100 ms. */
const MOST_SAMPLES = 65_536;
/** Zeros behind the samples make frequencies so dense that the amplitude of one between two is 2 % too small at most. */
const DENSITY = 4;
/** How far steps may differ from their mean, as a share of it. */
const UNEVEN = 0.01;

/**
 * The mean is taken out. Frequencies are in Hz, up to half the rate. Without samples there are none. Throws a SpectrumError for samples that are few, too
 * many, uneven or interrupted.
 * @param turn awaited after every few milliseconds of work.
 */
export async function spectrumOf(
  times: readonly number[],
  values: readonly (number | null)[],
  turn: () => Promise<void>,
): Promise<Spectrum> {
  if (times.length === 0) return { frequencies: [], amplitudes: [] };
  const step = evenStep(times, values);
  const count = values.length;
  const size = DENSITY * 2 ** Math.ceil(Math.log2(count));
  const [real, imaginary] = [new Float64Array(size), new Float64Array(size)];
  const mean = (values as number[]).reduce((sum, value) => sum + value, 0) / count;
  let weight = 0;
  for (let k = 0; k < count; k++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * (k + 0.5)) / count);
    real[k] = ((values[k] as number) - mean) * window;
    weight += window;
  }
  await transform(real, imaginary, turn);
  const half = size / 2;
  return {
    frequencies: Array.from({ length: half + 1 }, (_, k) => k / (size * step)),
    amplitudes: Array.from(
      { length: half + 1 },
      (_, k) => ((k === 0 || k === half ? 1 : 2) * Math.hypot(real[k] as number, imaginary[k] as number)) / weight,
    ),
  };
}

/** The time between samples. */
function evenStep(times: readonly number[], values: readonly (number | null)[]): number {
  const count = times.length;
  if (count < LEAST_SAMPLES)
    throw new SpectrumError(`a spectrum needs at least ${LEAST_SAMPLES} samples, found ${count}`);
  if (count > MOST_SAMPLES) throw new SpectrumError(`a spectrum takes at most ${MOST_SAMPLES} samples, found ${count}`);
  const hole = values.findIndex((value) => value === null || !Number.isFinite(value));
  if (hole >= 0) throw new SpectrumError(`there is no number at ${times[hole]} s`);
  const step = ((times[count - 1] as number) - (times[0] as number)) / (count - 1);
  const isEven = (time: number, k: number): boolean =>
    k === 0 || Math.abs(time - (times[k - 1] as number) - step) <= UNEVEN * step;
  const uneven = times.findIndex((time, k) => !isEven(time, k));
  if (uneven >= 0) throw new SpectrumError(`samples are not evenly spaced at ${times[uneven]} s`);
  return step;
}

/** In place, radix 2. */
async function transform(real: Float64Array, imaginary: Float64Array, turn: () => Promise<void>): Promise<void> {
  reorder(real, imaginary);
  for (let length = 2; length <= real.length; length *= 2) {
    await turn();
    combine(real, imaginary, length);
  }
}

/** Puts each sample at the place whose bits are those of its own place backwards. */
function reorder(real: Float64Array, imaginary: Float64Array): void {
  for (let index = 1, mirror = 0; index < real.length; index++) {
    let bit = real.length >> 1;
    for (; mirror & bit; bit >>= 1) mirror ^= bit;
    mirror ^= bit;
    if (index >= mirror) continue;
    swap(real, index, mirror);
    swap(imaginary, index, mirror);
  }
}

function swap(values: Float64Array, one: number, other: number): void {
  [values[one], values[other]] = [values[other] as number, values[one] as number];
}

/** Makes transforms of a length of those of half the length. */
function combine(real: Float64Array, imaginary: Float64Array, length: number): void {
  const half = length / 2;
  for (let k = 0; k < half; k++) {
    const [cosine, sine] = [Math.cos((-2 * Math.PI * k) / length), Math.sin((-2 * Math.PI * k) / length)];
    for (let even = k; even < real.length; even += length) {
      const odd = even + half;
      const x = (real[odd] as number) * cosine - (imaginary[odd] as number) * sine;
      const y = (real[odd] as number) * sine + (imaginary[odd] as number) * cosine;
      real[odd] = (real[even] as number) - x;
      imaginary[odd] = (imaginary[even] as number) - y;
      real[even] = (real[even] as number) + x;
      imaginary[even] = (imaginary[even] as number) + y;
    }
  }
}

/** At most about so many points: of each stretch of frequencies the one with the greatest amplitude. */
export function thinnedSpectrum({ frequencies, amplitudes }: Spectrum, most: number): Spectrum {
  const stretch = Math.ceil(frequencies.length / most);
  const kept: number[] = [];
  for (let start = 0; start < frequencies.length; start += stretch) {
    let greatest = start;
    for (let k = start; k < Math.min(start + stretch, frequencies.length); k++)
      if ((amplitudes[k] as number) > (amplitudes[greatest] as number)) greatest = k;
    kept.push(greatest);
  }
  return {
    frequencies: kept.map((k) => frequencies[k] as number),
    amplitudes: kept.map((k) => amplitudes[k] as number),
  };
}
