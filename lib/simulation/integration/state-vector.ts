// The numbers that are integrated, gathered from views: scalars, vectors, structures and arrays of structures.

/** A number of a structure, or the `value` of a scalar component. */
interface NumberPlace {
  readonly kind: 'number';
  readonly path: string;
  readonly holder: Record<string, number>;
  readonly key: string;
  /** Where in the rates its rate is: under this key, or the whole when there is none. */
  readonly from: string | undefined;
}

interface VectorPlace {
  readonly kind: 'vector';
  readonly path: string;
  readonly vector: Float64Array | Float32Array;
  readonly from: string | undefined;
}

interface GroupPlace {
  readonly kind: 'group';
  readonly path: string;
  readonly parts: readonly VariablePlace[];
  readonly keys: ReadonlySet<string>;
  readonly from: string | undefined;
}

type VariablePlace = NumberPlace | VectorPlace | GroupPlace;
type Indexed = Record<string, unknown>;

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isVector = (value: unknown): value is Float64Array | Float32Array =>
  value instanceof Float64Array || value instanceof Float32Array;
const within = (path: string, key: string): string =>
  /^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;

/** Pairs what the derivative gives with what it gives the rates of. Throws a TypeError that names what has no pair. */
function pair(path: string, state: unknown, rates: unknown, from: string | undefined): VariablePlace {
  const what = path || 'state';
  if (isVector(state)) return vectorPlace(what, state, rates, from);
  if (typeof rates === 'number') return scalarPlace(what, state, from);
  if (!isObject(state)) throw new TypeError(`${what} cannot be integrated: it is no view of floating-point numbers`);
  if (!isObject(rates)) throw new TypeError(`the rates of ${what} are missing`);
  if (ArrayBuffer.isView(state)) throw new TypeError(`${what} is a list of integers, which cannot be integrated`);
  const keys = Object.keys(rates);
  const parts = keys.map((key) => member(path, state as Indexed, key, (rates as Indexed)[key]));
  if (Symbol.iterator in state && parts.length !== (state as unknown as ArrayLike<unknown>).length) {
    throw new TypeError(
      `${what} has ${(state as unknown as ArrayLike<unknown>).length} elements, its rates ${parts.length}`,
    );
  }
  return { kind: 'group', path, parts, keys: new Set(keys), from };
}

function member(path: string, state: Indexed, key: string, rates: unknown): VariablePlace {
  const inner = within(path, key);
  const found = state[key];
  if (found === undefined) throw new TypeError(`there is no ${inner} to integrate`);
  if (typeof found === 'number' && rates === undefined) throw new TypeError(`the rate of ${inner} is missing`);
  if (typeof found === 'number') return numberPlace(inner, state as Record<string, number>, key, key);
  return pair(inner, found, rates, key);
}

function vectorPlace(
  path: string,
  vector: Float64Array | Float32Array,
  rates: unknown,
  from: string | undefined,
): VectorPlace {
  const count = isObject(rates) ? (rates as ArrayLike<number>).length : undefined;
  if (count === vector.length) return { kind: 'vector', path, vector, from };
  throw new TypeError(`${path} has ${vector.length} elements, its rates ${count ?? 'are no list'}`);
}

/** A component that is one number: its view is a cell. */
function scalarPlace(path: string, state: unknown, from: string | undefined): NumberPlace {
  if (isObject(state) && typeof (state as Indexed).value === 'number') {
    return numberPlace(path, state as Record<string, number>, 'value', from);
  }
  throw new TypeError(`${path} is no single number, but its rate is`);
}

function numberPlace(path: string, holder: Record<string, number>, key: string, from: string | undefined): NumberPlace {
  if (keeps({ holder, key }, 0.5)) return { kind: 'number', path, holder, key, from };
  throw new TypeError(`${path} is an integer, which cannot be integrated`);
}

function leavesOf(place: VariablePlace): (NumberPlace | VectorPlace)[] {
  return place.kind === 'group' ? place.parts.flatMap(leavesOf) : [place];
}

const sizeOf = (leaf: NumberPlace | VectorPlace): number => (leaf.kind === 'number' ? 1 : leaf.vector.length);

const SINGLE_EPSILON = 2 ** -23;

function epsilonsOf(leaf: NumberPlace | VectorPlace): number[] {
  if (leaf.kind === 'number') return [keeps(leaf, 0.1) ? Number.EPSILON : SINGLE_EPSILON];
  const epsilon = leaf.vector instanceof Float32Array ? SINGLE_EPSILON : Number.EPSILON;
  return Array.from(leaf.vector, () => epsilon);
}

/** Whether a number keeps a value as it is. */
function keeps({ holder, key }: Pick<NumberPlace, 'holder' | 'key'>, value: number): boolean {
  const before = holder[key] as number;
  holder[key] = value;
  const isKept = holder[key] === value;
  holder[key] = before;
  return isKept;
}

/** Collects rates in the order of the state. */
class RateReader {
  private at = 0;

  constructor(private readonly result: Float64Array) {}

  read(place: VariablePlace, given: unknown): void {
    const { from } = place;
    if (from === undefined) this.take(place, given);
    else if (isObject(given) && from in given) this.take(place, (given as Indexed)[from]);
    // What is left out this time does not change.
    else this.fill(place, isObject(given) ? 0 : Number.NaN);
  }

  private take(place: VariablePlace, rates: unknown): void {
    if (place.kind === 'group') {
      requireKnown(place, rates);
      for (const part of place.parts) this.read(part, rates);
    } else if (place.kind === 'number') {
      this.result[this.at++] = isObject(rates) ? ((rates as Indexed).value as number) : (rates as number);
    } else {
      const { length } = place.vector;
      for (let i = 0; i < length; i++) this.result[this.at++] = (rates as ArrayLike<number> | undefined)?.[i] as number;
    }
  }

  private fill(place: VariablePlace, rate: number): void {
    const size = leavesOf(place).reduce((sum, leaf) => sum + sizeOf(leaf), 0);
    this.result.fill(rate, this.at, this.at + size);
    this.at += size;
  }
}

/** Throws a TypeError for a rate of something that had none at first: it would be left out in silence. */
function requireKnown({ keys, path }: GroupPlace, rates: unknown): void {
  if (!isObject(rates) || Array.isArray(rates)) return;
  for (const key in rates) {
    if (!keys.has(key)) throw new TypeError(`${within(path, key)} has a rate now, but had none at first`);
  }
}

export class StateVector {
  /** How many numbers are integrated. */
  readonly size: number;
  private readonly root: VariablePlace;
  private epsilons: Float64Array | undefined;
  private readonly leaves: readonly (NumberPlace | VectorPlace)[];

  /**
   * Integrates the numbers for which the derivative gives rates. Throws a TypeError with one sentence.
   * @param rates as the derivative returns them.
   */
  constructor(state: unknown, rates: unknown) {
    this.root = pair('', state, rates, undefined);
    this.leaves = leavesOf(this.root);
    this.size = this.leaves.reduce((sum, leaf) => sum + sizeOf(leaf), 0);
    if (this.size === 0) throw new TypeError('the derivative gives no rates, so there is nothing to integrate');
  }

  /** Reads the numbers from the views. */
  load(result: Float64Array): void {
    let at = 0;
    for (const leaf of this.leaves) {
      if (leaf.kind === 'number') result[at++] = leaf.holder[leaf.key] as number;
      else {
        result.set(leaf.vector, at);
        at += leaf.vector.length;
      }
    }
  }

  /** Writes the numbers to the views. */
  store(state: Float64Array): void {
    let at = 0;
    for (const leaf of this.leaves) {
      if (leaf.kind === 'number') leaf.holder[leaf.key] = state[at++] as number;
      else for (let i = 0; i < leaf.vector.length; i++) leaf.vector[i] = state[at++] as number;
    }
  }

  /**
   * Puts rates into the order of the state. What is left out has the rate 0. Throws a TypeError for rates that are
   * missing altogether, or that were not there at first.
   */
  ratesOf(given: unknown, result: Float64Array): void {
    if (!isObject(given) && typeof given !== 'number') throw new TypeError('the rates of state are missing');
    new RateReader(result).read(this.root, given);
  }

  /** The round-off of a number, as a part of its size: views of single precision round what they are given. */
  epsilonOf(index: number): number {
    this.epsilons ??= Float64Array.from(this.leaves.flatMap(epsilonsOf));
    return this.epsilons[index] as number;
  }

  /** The name of a number within the state, such as `position[1]`. */
  nameOf(index: number): string {
    let at = 0;
    for (const leaf of this.leaves) {
      const size = sizeOf(leaf);
      if (index < at + size) return leaf.kind === 'number' ? leaf.path : within(leaf.path, `${index - at}`);
      at += size;
    }
    return `number ${index}`;
  }

  /** Where a vector begins in the state, and its length; undefined when it is not integrated. */
  placeOf(vector: unknown): { readonly from: number; readonly length: number } | undefined {
    let from = 0;
    for (const leaf of this.leaves) {
      if (leaf.kind === 'vector' && leaf.vector === vector) return { from, length: leaf.vector.length };
      from += sizeOf(leaf);
    }
    return undefined;
  }
}
