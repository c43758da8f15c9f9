// Random numbers as Trick draws them, so that a seed gives the values that it gives there: the Mersenne twister behind the
// distributions of libstdc++ and those of GSL. Sources: ISO C++ [rand.eng.mers]; libstdc++ <random>; GSL, Random Number Distributions.

const WORDS = 624;
const MIDDLE = 397;
const WORD = 2 ** 32;

/** std::mt19937, and gsl_rng_mt19937 with a seed other than 0. */
export class MersenneTwister {
  private readonly state = new Uint32Array(WORDS);
  private next = WORDS;

  constructor(seed: number) {
    this.state[0] = seed;
    for (let index = 1; index < WORDS; index++) {
      const before = this.state[index - 1] as number;
      this.state[index] = Math.imul(before ^ (before >>> 30), 1_812_433_253) + index;
    }
  }

  /** A whole number below 2^32. */
  word(): number {
    if (this.next === WORDS) this.refill();
    let word = this.state[this.next++] as number;
    word ^= word >>> 11;
    word ^= (word << 7) & 0x9d2c5680;
    word ^= (word << 15) & 0xefc60000;
    return (word ^ (word >>> 18)) >>> 0;
  }

  private refill(): void {
    const { state } = this;
    for (let index = 0; index < WORDS; index++) {
      const joined = ((state[index] as number) & 0x80000000) | ((state[(index + 1) % WORDS] as number) & 0x7fffffff);
      const shifted = (state[(index + MIDDLE) % WORDS] as number) ^ (joined >>> 1);
      state[index] = joined & 1 ? shifted ^ 0x9908b0df : shifted;
    }
    this.next = 0;
  }
}

/** One generator and what is drawn from it; the parameters may change between draws. */
export interface RandomNumbers {
  uniform(low: number, high: number): number;
  normal(mean: number, deviation: number): number;
  poisson(mean: number): number;
}

/** The distributions of libstdc++, on std::mt19937. */
export class StandardNumbers implements RandomNumbers {
  private readonly engine: MersenneTwister;
  /** The second number of a pair of normal ones. */
  private kept: number | undefined;

  constructor(seed: number) {
    this.engine = new MersenneTwister(seed);
  }

  /** In [0, 1), of 64 random bits. */
  private canonical(): number {
    const low = this.engine.word();
    const drawn = (low + this.engine.word() * WORD) / (WORD * WORD);
    return drawn >= 1 ? 1 - Number.EPSILON / 2 : drawn;
  }

  uniform(low: number, high: number): number {
    return this.canonical() * (high - low) + low;
  }

  /** The polar method. */
  normal(mean: number, deviation: number): number {
    const { kept } = this;
    if (kept !== undefined) {
      this.kept = undefined;
      return kept * deviation + mean;
    }
    const { x, y, size } = inUnitCircle(() => 2 * this.canonical() - 1);
    const factor = Math.sqrt((-2 * Math.log(size)) / size);
    this.kept = x * factor;
    return y * factor * deviation + mean;
  }

  /** A whole number from low to high, by Lemire's method. */
  integer(low: number, high: number): number {
    const count = high - low + 1;
    if (count >= WORD) return low + (this.engine.word() % count);
    const threshold = (WORD - count) % count;
    for (;;) {
      const product = BigInt(this.engine.word()) * BigInt(count);
      if (Number(product & 0xffffffffn) >= threshold) return low + Number(product >> 32n);
    }
  }

  poisson(mean: number): number {
    return poisson(mean, () => this.canonical());
  }
}

/** The distributions of GSL, on its default generator. */
export class GslNumbers implements RandomNumbers {
  private readonly engine: MersenneTwister;

  constructor(seed: number) {
    this.engine = new MersenneTwister(seed === 0 ? 4357 : seed);
  }

  private canonical(): number {
    return this.engine.word() / WORD;
  }

  private positive(): number {
    for (;;) {
      const drawn = this.canonical();
      if (drawn > 0) return drawn;
    }
  }

  uniform(low: number, high: number): number {
    const part = this.canonical();
    return low * (1 - part) + high * part;
  }

  /** gsl_ran_gaussian */
  normal(mean: number, deviation: number): number {
    const { y, size } = inUnitCircle(() => -1 + 2 * this.positive());
    return mean + deviation * y * Math.sqrt((-2 * Math.log(size)) / size);
  }

  poisson(mean: number): number {
    return poisson(mean, () => this.canonical());
  }
}

function inUnitCircle(draw: () => number): { readonly x: number; readonly y: number; readonly size: number } {
  for (;;) {
    const x = draw();
    const y = draw();
    const size = x * x + y * y;
    if (size <= 1 && size !== 0) return { x, y, size };
  }
}

/** Both libraries multiply uniform numbers up to this mean; above it, a sum of such numbers has the same distribution. */
const LARGEST_MEAN = 10;

function poisson(mean: number, draw: () => number): number {
  let count = 0;
  for (let left = mean; left > 0; left -= LARGEST_MEAN) {
    const limit = Math.exp(-Math.min(left, LARGEST_MEAN));
    let product = draw();
    for (; product > limit; count++) product *= draw();
  }
  return count;
}
