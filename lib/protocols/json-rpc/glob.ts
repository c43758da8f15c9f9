// Name patterns: `*` matches any characters and `?` matches one.

/** The most characters of a pattern. */
export const LONGEST_PATTERN = 1000;

/**
 * A pattern as an automaton: state k has matched k characters of it, and each state is one bit. The time that a text takes
 * grows with its length alone, whatever the stars are.
 */
export class Glob {
  private readonly states: Int32Array;
  /** The states that a character leaves for the next one, by the character; and those that any other leaves. */
  private readonly leaving = new Map<number, Int32Array>();
  private readonly leavingByAny: Int32Array;
  /** The states that a star keeps. */
  private readonly staying: Int32Array;
  private readonly last: number;

  constructor(pattern: string) {
    const characters = pattern.replaceAll('*', '');
    this.last = characters.length;
    this.states = this.noStates();
    this.leavingByAny = this.noStates();
    this.staying = this.noStates();
    for (let k = 0; k < characters.length; k++) if (characters[k] === '?') add(this.leavingByAny, k);
    for (let k = 0; k < characters.length; k++)
      if (characters[k] !== '?') add(this.leavingBy(characters.charCodeAt(k)), k);
    let state = 0;
    for (const character of pattern.split('')) {
      if (character === '*') add(this.staying, state);
      else state++;
    }
  }

  /** Whether the whole text fits, or what comes before one of the characters `ends`. */
  fits(text: string, ends = ''): boolean {
    this.states.fill(0);
    this.states[0] = 1;
    for (let at = 0; at < text.length; at++) {
      if (ends !== '' && this.isMatched && ends.includes(text[at] as string)) return true;
      if (!this.take(text.charCodeAt(at))) return false;
    }
    return this.isMatched;
  }

  private get isMatched(): boolean {
    return ((this.states[this.last >> 5] as number) & (1 << (this.last & 31))) !== 0;
  }

  /** Goes on by one character; false when no state is left. */
  private take(character: number): boolean {
    const { states, staying } = this;
    const leaving = this.leaving.get(character) ?? this.leavingByAny;
    let [carried, left] = [0, 0];
    for (let word = 0; word < states.length; word++) {
      const state = states[word] as number;
      const moved = state & (leaving[word] as number);
      const next = (moved << 1) | carried | (state & (staying[word] as number));
      carried = moved >>> 31;
      states[word] = next;
      left |= next;
    }
    return left !== 0;
  }

  /** The states that a character leaves, which begin with those that any leaves. */
  private leavingBy(character: number): Int32Array {
    const known = this.leaving.get(character);
    if (known) return known;
    const made = this.leavingByAny.slice();
    this.leaving.set(character, made);
    return made;
  }

  private noStates(): Int32Array {
    return new Int32Array((this.last >> 5) + 1);
  }
}

function add(states: Int32Array, state: number): void {
  (states[state >> 5] as number) |= 1 << (state & 31);
}
