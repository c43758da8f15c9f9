// Streams of random numbers whose state is four numbers of the simulation, so that a checkpoint restores them.

/** Where a stream keeps its state: 4 unsigned integers of 32 bits, not all zero. */
type StreamState = Uint32Array | { [index: number]: number };

/** Above this mean, numbers of a Poisson distribution are found by rejection instead of by counting. */
const LARGE_MEAN = 30;

/** Mixes the bits of a 32-bit number, so that similar numbers give unlike ones. */
function mixed(number: number): number {
  let bits = number | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** The seed, without a sign of zero. Throws a RangeError with one sentence unless it is a whole number. */
export function requireSeed(seed: number, of = 'a seed'): number {
  if (Number.isSafeInteger(seed)) return seed + 0;
  throw new RangeError(`${of} is a whole number, such as 7, not ${seed}`);
}

/** The first state of a stream; another name, or a change of any seed, gives another state. */
export function seeded(name: string, seeds: readonly number[]): [number, number, number, number] {
  let bits = 0x9e3779b9;
  const add = (number: number): void => {
    bits = mixed((Math.imul(bits, 31) + number + 0x6d2b79f5) | 0);
  };
  for (const character of name) add(character.codePointAt(0) as number);
  for (const seed of seeds) {
    const halves = new Uint32Array(Float64Array.of(seed).buffer);
    for (const half of halves) add(half);
  }
  const next = (): number => {
    add(1);
    return bits;
  };
  return [next(), next(), next(), (next() | 1) >>> 0];
}

/** A stream of random numbers by xoshiro128** of Blackman and Vigna. */
export class RandomStream {
  constructor(private readonly state: StreamState) {}

  /** A number from `low` up to, but not including, `high`; with 53 random bits. Default: from 0 to 1. */
  uniform(low = 0, high = 1): number {
    const part = ((this.next() >>> 5) * 2 ** 26 + (this.next() >>> 6)) / 2 ** 53;
    return low + (high - low) * part;
  }

  /** A whole number from `low` to `high`, both included. */
  integer(low: number, high: number): number {
    if (!(Number.isSafeInteger(low) && Number.isSafeInteger(high) && low <= high)) {
      throw new RangeError(`a random integer lies between two whole numbers, not ${low} and ${high}`);
    }
    return low + Math.floor(this.uniform() * (high - low + 1));
  }

  /** A number of the normal distribution. Throws a RangeError for a deviation below 0. */
  normal(mean = 0, deviation = 1): number {
    if (!(deviation >= 0)) throw new RangeError(`a standard deviation is a number from 0 up, not ${deviation}`);
    // Box and Muller's: 1 - u is above 0, so its logarithm exists.
    const radius = Math.sqrt(-2 * Math.log(1 - this.uniform()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.uniform());
  }

  /** A whole number of the Poisson distribution. Throws a RangeError for a mean below 0 or above 1e9. */
  poisson(mean: number): number {
    if (!(mean >= 0 && mean <= 1e9))
      throw new RangeError(`the mean of a Poisson distribution is a number from 0 to 1e9, not ${mean}`);
    return mean < LARGE_MEAN ? this.countedPoisson(mean) : this.rejectedPoisson(mean);
  }

  /** Events of rate 1 within a time, by the product of uniform numbers. */
  private countedPoisson(mean: number): number {
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.uniform(); product > limit; product *= this.uniform()) count++;
    return count;
  }

  /** Hoermann's transformed rejection (PTRS), which needs few uniform numbers however large the mean is. */
  private rejectedPoisson(mean: number): number {
    const b = 0.931 + 2.53 * Math.sqrt(mean);
    const a = -0.059 + 0.02483 * b;
    const scale = 1.1239 + 1.1328 / (b - 3.4);
    const quick = 0.9277 - 3.6224 / (b - 2);
    for (;;) {
      const u = this.uniform() - 0.5;
      const v = 1 - this.uniform();
      const distance = 0.5 - Math.abs(u);
      const count = Math.floor(((2 * a) / distance + b) * u + mean + 0.43);
      if (distance >= 0.07 && v <= quick) return count;
      if (count < 0 || (distance < 0.013 && v > distance)) continue;
      const height = Math.log((v * scale) / (a / (distance * distance) + b));
      if (height <= count * Math.log(mean) - mean - logFactorial(count)) return count;
    }
  }

  private next(): number {
    const { state } = this;
    const [s0, s1, s2, s3] = [state[0] as number, state[1] as number, state[2] as number, state[3] as number];
    const scrambled = Math.imul(rotated(Math.imul(s1, 5), 7), 9) >>> 0;
    const t2 = s2 ^ s0;
    const t3 = s3 ^ s1;
    state[1] = (s1 ^ t2) >>> 0;
    state[0] = (s0 ^ t3) >>> 0;
    state[2] = (t2 ^ (s1 << 9)) >>> 0;
    state[3] = rotated(t3, 11) >>> 0;
    return scrambled;
  }
}

const rotated = (bits: number, by: number): number => (bits << by) | (bits >>> (32 - by));

/** The logarithm of n!, by Stirling's series above 15. */
function logFactorial(n: number): number {
  let sum = 0;
  if (n < 16) {
    for (let i = 2; i <= n; i++) sum += Math.log(i);
    return sum;
  }
  return (n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI) + 1 / (12 * n) - 1 / (360 * n ** 3);
}
