// Finds variables by words in their paths, descriptions and units; what cannot fit is left out a whole type at a time.
import { isEntered } from './listing.js';
import { nearestNames } from './suggest.js';
import type { Member, StructType, Type } from './type.js';

/** How a variable fits, the best first. */
export const RANKS = ['exact', 'prefix', 'substring', 'about', 'fuzzy'] as const;
export type Rank = (typeof RANKS)[number];

export interface SearchWish {
  /** Words with blanks between; each must occur, in any case. */
  readonly text: string;
  readonly limit: number;
  /** Whether structures are found too, and not only variables with values of their own. */
  readonly hasStructures: boolean;
  isLeftOut(path: string): boolean;
}

export interface SearchMatch {
  readonly path: string;
  readonly rank: Rank;
}

export interface SearchResult {
  /** Best first. */
  readonly matches: readonly SearchMatch[];
  /** False when so many were looked at that the search stopped. */
  readonly isComplete: boolean;
}

/** Where a search begins: a path, and what is declared there. */
export interface SearchRoot {
  readonly path: string;
  readonly member: Pick<Member, 'type' | 'units' | 'about'>;
}

export const LONGEST_SEARCH = 200;
const MOST_WORDS = 8;
/** Each part of a word is one bit of a mask. */
const MOST_PARTS = 24;
/** Names that are remembered to correct a word that occurs nowhere. */
const MOST_NAMES = 20_000;
const MOST_CORRECTIONS = 3;
/** How many places of a word in a path are looked at: in a long path of one letter, each letter is a place. */
const MOST_PLACES = 16;
/** Variables, structures and elements that one search looks at, and how many of them it may rank. */
const MOST_VISITED = 3_000_000;
const MOST_RANKED = 200_000;

/** Searches in slices: yields when `isOver` says that its time is up. */
export function* searchVariables(
  roots: () => Iterable<SearchRoot>,
  wish: SearchWish,
  isOver: () => boolean,
): Generator<void, SearchResult> {
  const words = wordsOf(wish.text);
  if (words.length === 0) return { matches: [], isComplete: true };
  const first = new Search(words, wish, false);
  yield* first.run(roots(), isOver);
  const found = first.result();
  if (found.matches.length > 0) return found;
  const matches: SearchMatch[] = [];
  let { isComplete } = found;
  for (const corrected of first.corrections()) {
    const again = new Search(corrected, wish, true);
    yield* again.run(roots(), isOver);
    const { matches: more, isComplete: isAll } = again.result();
    const known = new Set(matches.map(({ path }) => path));
    matches.push(...more.filter(({ path }) => !known.has(path)));
    isComplete &&= isAll;
  }
  return { matches: matches.slice(0, wish.limit), isComplete };
}

function wordsOf(text: string): readonly string[] {
  const words = [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))];
  return words.slice(0, MOST_WORDS);
}

/** The parts of a word that stand in one name each; an index stands in none. */
const partsOf = (word: string): readonly string[] => word.split(/[.[\]]+/).filter((part) => /[^\d]/.test(part));

/** A member, and which parts occur in itself and below it. */
interface Entry {
  readonly member: Pick<Member, 'name' | 'type' | 'units' | 'about'>;
  readonly own: number;
  readonly below: number;
}

interface Ranked {
  readonly path: string;
  readonly score: number;
}

/** A structure or array whose parts are being visited. */
interface Level {
  readonly path: string;
  /** The members of a structure. */
  readonly entries: readonly Entry[] | undefined;
  /** The type of an array's elements. */
  readonly element: Type | undefined;
  readonly count: number;
  /** The parts that occur in the path or in what is declared for it. */
  readonly covered: number;
  next: number;
}

class Search {
  private readonly parts: readonly string[];
  private readonly all: number;
  private readonly indexed = new Map<StructType, { readonly entries: readonly Entry[]; readonly mask: number }>();
  private readonly names = new Set<string>();
  /** Parts that occur anywhere. */
  private seen = 0;
  private best: Ranked[] = [];
  private visited = 0;
  private ranked = 0;
  private inherited = 0;

  constructor(
    private readonly words: readonly string[],
    private readonly wish: SearchWish,
    private readonly isFuzzy: boolean,
  ) {
    this.parts = words.flatMap(partsOf).slice(0, MOST_PARTS);
    this.all = 2 ** this.parts.length - 1;
  }

  *run(roots: Iterable<SearchRoot>, isOver: () => boolean): Generator<void, void> {
    for (const { path, member } of roots) {
      if (isOver()) yield;
      if (this.isExhausted || this.wish.isLeftOut(path)) continue;
      this.remember(path);
      yield* this.visit(path, { ...member, own: this.maskOf(path, member), covered: 0 }, isOver);
    }
  }

  result(): SearchResult {
    const matches = this.sorted().map(({ path, score }) => ({ path, rank: rankOf(score) }));
    return { matches, isComplete: !this.isExhausted };
  }

  /** The words with each of those that occur nowhere replaced by a known name, and the first wrong part of a path. */
  *corrections(): Generator<readonly string[]> {
    const isMissing = (part: string): boolean => (this.seen & (1 << this.parts.indexOf(part))) === 0;
    const isWrong = (word: string): boolean => partsOf(word).some(isMissing);
    const wrong = this.words.find(isWrong);
    const part = wrong === undefined ? undefined : partsOf(wrong).find(isMissing);
    if (part === undefined) return;
    for (const name of nearestNames(part, this.names, MOST_CORRECTIONS))
      yield this.words.map((word) =>
        word.includes(part) ? word.replace(part, () => name) : isWrong(word) ? name : word,
      );
  }

  private get isExhausted(): boolean {
    return this.visited >= MOST_VISITED || this.ranked >= MOST_RANKED;
  }

  /** Goes through a root and what lies below it. */
  private *visit(
    path: string,
    root: Pick<Member, 'type' | 'units' | 'about'> & { readonly own: number; readonly covered: number },
    isOver: () => boolean,
  ): Generator<void, void> {
    const stack: Level[] = [];
    yield* this.enter(stack, path, root, root.own, root.covered, isOver);
    for (let level = stack.at(-1); level && !this.isExhausted; level = stack.at(-1)) {
      if (isOver()) yield;
      if (level.next >= level.count) stack.pop();
      else if (level.entries) yield* this.enterMember(stack, level, level.entries[level.next++] as Entry, isOver);
      else yield* this.enterElement(stack, level, isOver);
    }
  }

  private *enterMember(stack: Level[], level: Level, entry: Entry, isOver: () => boolean): Generator<void, void> {
    const { member, own, below } = entry;
    const covered = level.covered | own | below;
    this.visited++;
    if (covered !== this.all || !this.isWanted(level.covered, own | below)) return;
    yield* this.enter(stack, `${level.path}.${member.name}`, member, own, level.covered, isOver);
  }

  private *enterElement(stack: Level[], level: Level, isOver: () => boolean): Generator<void, void> {
    this.visited++;
    const path = `${level.path}[${level.next++}]`;
    yield* this.enter(stack, path, { type: level.element as Type }, 0, level.covered, isOver);
  }

  /** Whether to visit a part: when only the names above it have the words, it comes last, and only up to the limit. */
  private isWanted(covered: number, further: number): boolean {
    return covered !== this.all || (this.all !== 0 && further !== 0) || this.inherited < this.wish.limit;
  }

  /** Ranks a variable that fits, and prepares going below it. */
  private *enter(
    stack: Level[],
    path: string,
    { type }: Pick<Member, 'type'>,
    own: number,
    before: number,
    isOver: () => boolean,
  ): Generator<void, void> {
    if (this.wish.isLeftOut(path)) return;
    const covered = before | own;
    const isStructure = isEntered(type);
    if (covered === this.all && (!isStructure || this.wish.hasStructures))
      this.rank(path, before === this.all && own === 0);
    if (!isStructure) return;
    const structure = structureIn(type);
    const { entries, mask } = yield* this.index(structure, isOver);
    if ((covered | mask) !== this.all) return;
    if (type.kind === 'struct')
      stack.push({ path, entries, element: undefined, count: entries.length, covered, next: 0 });
    else if (type.kind === 'array')
      stack.push({ path, entries: undefined, element: type.element, count: type.length, covered, next: 0 });
  }

  /** Which parts occur in a structure, looked up once for all variables of its type. */
  private *index(
    type: StructType,
    isOver: () => boolean,
  ): Generator<void, { readonly entries: readonly Entry[]; readonly mask: number }> {
    const known = this.indexed.get(type);
    if (known) return known;
    const entries: Entry[] = [];
    let mask = 0;
    for (const member of type.members) {
      if (isOver()) yield;
      this.visited++;
      const own = this.maskOf(member.name, member);
      const below = isEntered(member.type) ? (yield* this.index(structureIn(member.type), isOver)).mask : 0;
      entries.push({ member, own, below });
      mask |= own | below;
      this.remember(member.name);
    }
    const made = { entries, mask };
    this.indexed.set(type, made);
    return made;
  }

  private maskOf(name: string, { about, units, type }: Pick<Member, 'about' | 'units' | 'type'>): number {
    const [lowerName, lowerAbout, lowerUnits] = [name.toLowerCase(), about.toLowerCase(), units.toLowerCase()];
    const lowerType = nameOfType(type).toLowerCase();
    let mask = 0;
    for (let bit = 0; bit < this.parts.length; bit++) {
      const part = this.parts[bit] as string;
      const isThere = [lowerName, lowerAbout, lowerType].some((text) => text.includes(part)) || lowerUnits === part;
      if (isThere) mask |= 1 << bit;
    }
    this.seen |= mask;
    return mask;
  }

  private remember(name: string): void {
    if (this.names.size >= MOST_NAMES) return;
    const lower = name.toLowerCase();
    this.names.add(lower);
    if (name.includes('_')) for (const part of lower.split('_')) if (part.length > 2) this.names.add(part);
  }

  private rank(path: string, isInherited: boolean): void {
    const score = this.scoreOf(path);
    if (score === undefined) return;
    if (isInherited) this.inherited++;
    this.ranked++;
    this.best.push({ path, score: score + (isInherited ? INHERITED : 0) });
    if (this.best.length > 4 * this.wish.limit + 100) this.best = this.sorted();
  }

  private sorted(): Ranked[] {
    return this.best
      .sort((one, other) => one.score - other.score || (one.path < other.path ? -1 : 1))
      .slice(0, this.wish.limit);
  }

  /** Lower is better; undefined when a word with dots or indices does not occur in the path as it is written. */
  private scoreOf(path: string): number | undefined {
    const lower = path.toLowerCase();
    const lastName = lower.slice(1 + Math.max(lower.lastIndexOf('.'), lower.lastIndexOf(']')));
    let worst = 0;
    let isInLast = false;
    for (const word of this.words) {
      const rank = rankOfWord(word, path, lower, lastName);
      if (rank < 0 && !isOnePart(word)) return undefined;
      worst = Math.max(worst, rank < 0 ? ABOUT : rank);
      isInLast ||= lastName.includes(word);
    }
    const rank = this.isFuzzy ? FUZZY : worst;
    return rank * STEP + (isInLast ? 0 : STEP / 4) + Math.min(path.length, STEP / 8);
  }
}

const [EXACT, PREFIX, SUBSTRING, ABOUT, FUZZY] = [0, 1, 2, 3, 4] as const;
const STEP = 100_000;
/** Added to the score of a variable that has the words only in the names above it. */
const INHERITED = STEP / 2;
const rankOf = (score: number): Rank => RANKS[Math.floor(score / STEP)] ?? 'fuzzy';

/** A word's rank in a path; -1 when it is not there. */
function rankOfWord(word: string, path: string, lower: string, lastName: string): number {
  if (lower === word || lastName === word) return EXACT;
  let at = lower.indexOf(word);
  if (at < 0) return -1;
  for (let places = 0; at >= 0 && places < MOST_PLACES; places++, at = lower.indexOf(word, at + 1))
    if (isWordStart(path, at)) return PREFIX;
  return SUBSTRING;
}

/** Whether a word of a path begins there: behind a sign, or at a capital letter or digit behind other characters. */
function isWordStart(path: string, at: number): boolean {
  const pair = path.slice(at - 1, at + 1);
  return at === 0 || /^[^A-Za-z0-9]|[a-z0-9][A-Z]|[A-Za-z]\d/.test(pair);
}

/** Whether a word may stand in a description too; what has dots or indices stands in a path. */
const isOnePart = (word: string): boolean => partsOf(word)[0] === word;

/** The name of a structure or an enumeration, also of elements; empty for what has no name of its own. */
function nameOfType(type: Type): string {
  if (type.kind === 'array') return nameOfType(type.element);
  return type.kind === 'struct' || type.kind === 'enumeration' ? type.name : '';
}

function structureIn(type: Type): StructType {
  return type.kind === 'array' ? structureIn(type.element) : (type as StructType);
}
