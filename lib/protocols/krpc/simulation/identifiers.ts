// Names of variables as kRPC's identifiers, which every language of its clients takes as they are.
import { RESERVED_WORDS } from './reserved-words.js';

/** `worst_delay` becomes `WorstDelay`, `dyn.cannon.fire` becomes `DynCannonFire`, `3d` becomes `N3d`. */
export function identifierOf(name: string): string {
  const words = name.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(joined) ? joined : `N${joined}`;
}

/** A parameter's name begins with a small letter: `Level` becomes `level`, `URLPath` becomes `urlPath`. */
export function parameterOf(name: string): string {
  if (/^[a-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*$/.test(name)) return name;
  return identifierOf(name).replace(/^[A-Z]+(?![a-z])|^[A-Z]/, (start) => start.toLowerCase());
}

/** Languages write a name with capitals, with a small letter, or with underscores: this is the same for all. */
const plain = (name: string): string => name.toLowerCase().replaceAll('_', '');

const plainWords = (text: string): string[] => text.split(/\s+/).map(plain);
const WORDS: ReadonlySet<string> = new Set(Object.values(RESERVED_WORDS).flatMap(plainWords));

/** Makes names that differ in every language, from each other and from its own words. */
export class Identifiers {
  private readonly taken: Set<string>;
  /** The next number of a name: thousands of objects may have names that become the same. */
  private readonly numbers = new Map<string, number>();

  /**
   * @param taken words that must not be given, as text with blanks between.
   * @param alsoNames what clients make of a name besides: C++ adds a method `x_stream`, Java reads a property with `getX`.
   */
  constructor(
    taken: string,
    private readonly alsoNames: (name: string) => readonly string[] = () => [],
  ) {
    this.taken = new Set(plainWords(taken).flatMap((word) => this.all(word)));
  }

  has(name: string): boolean {
    return this.taken.has(plain(identifierOf(name)));
  }

  /** An identifier for a name; one that is taken, or a word of a language, gets a number. */
  take(name: string, wanted = identifierOf(name)): string {
    let free = wanted;
    let number = this.numbers.get(plain(wanted)) ?? 2;
    while (!this.isFree(free)) free = `${wanted}${number++}`;
    this.numbers.set(plain(wanted), number);
    for (const one of this.all(free)) this.taken.add(one);
    return free;
  }

  private isFree(name: string): boolean {
    return !WORDS.has(plain(name)) && !this.all(name).some((one) => this.taken.has(one));
  }

  private all(name: string): string[] {
    return [name, ...this.alsoNames(name)].map(plain);
  }
}

/** Members of a class: a method of C++ streams each. */
export const memberIdentifiers = (...taken: readonly string[]): Identifiers =>
  new Identifiers(taken.join(' '), (name) => [`${name}Stream`]);

/** Members of a service: functions and properties, which Java reads with methods. */
export const serviceIdentifiers = (): Identifiers =>
  new Identifiers('Service NewInstance', (name) => [`${name}Stream`, `get${name}`]);
