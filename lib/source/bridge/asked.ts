// Which values are asked for of a simulation elsewhere, and how often: those that readers hold.
import { PageMap, pagesOf } from '../../model/frame/page-map.js';
import type { Placed } from './placed.js';

/** Small, so that little is asked for of which nobody reads: eight doubles. */
export const PAGE_BYTES = 64;
/** An array of numbers is one. */
export const MOST_ASKED = 10_000;
/** Of all values that are asked for, in a second. */
const MOST_PER_SECOND = 100_000;
const MOST_UPDATES_PER_SECOND = 100;
/** Also when nobody reads: time and mode are shown. */
const LONGEST_CYCLE_SECONDS = 0.1;

/** Some of the places, and what the others leave out. */
export class Asked {
  /** What the simulation sends by itself. */
  readonly names: readonly string[];
  /** They are read one by one. */
  readonly containers: readonly Placed[];
  /** Pages of which some value is not asked for. */
  readonly missing: PageMap;
  /** How many are not asked for although somebody reads them. */
  readonly tooMany: number;
  private readonly places: ReadonlyMap<string, Placed>;

  /** @param wanted the pages that readers hold. */
  constructor(
    all: readonly Placed[],
    arenaBytes: number,
    readonly wanted: PageMap,
  ) {
    const held = all.filter(({ offsetBytes, sizeBytes }) => wanted.hasSome(offsetBytes, sizeBytes));
    const places = held.slice(0, MOST_ASKED);
    this.tooMany = held.length - places.length;
    this.containers = places.filter(isContainer);
    this.names = places.filter((place) => !isContainer(place)).map(({ path }) => path);
    this.places = new Map(places.map((place) => [place.path, place]));
    this.missing = new PageMap(new Uint8Array(pagesOf(arenaBytes, PAGE_BYTES)), PAGE_BYTES);
    for (const { path, offsetBytes, sizeBytes } of all)
      if (!this.places.has(path)) this.missing.markRange(offsetBytes, sizeBytes);
  }

  place(name: string): Placed | undefined {
    return this.places.get(name);
  }

  /** Whether it has all that another one has. */
  includes({ places }: Asked): boolean {
    return [...places.keys()].every((path) => this.places.has(path));
  }
}

const isContainer = ({ type }: Placed): boolean => type.kind === 'sequence';

/**
 * Every how many frames an update is asked for: so seldom that each cycle still falls on an update, and the simulation's
 * processor is spared.
 */
export function frameMultiple(cycles: Iterable<number>, frameSeconds: number, values: number): number {
  const inFrames = (seconds: number): number => Math.max(1, Math.floor(seconds / frameSeconds + 1e-9));
  let multiple = inFrames(LONGEST_CYCLE_SECONDS);
  for (const seconds of cycles) multiple = commonDivisor(multiple, inFrames(seconds));
  const perSecond = Math.min(MOST_UPDATES_PER_SECOND, MOST_PER_SECOND / values);
  const least = Math.ceil(1 / (frameSeconds * perSecond) - 1e-9);
  return multiple * Math.max(1, Math.ceil(least / multiple));
}

const commonDivisor = (one: number, other: number): number => (other === 0 ? one : commonDivisor(other, one % other));
