// Objects as Bevy's entities: their numbers on the wire in both numberings, and as text.
import { type Dialect, isBefore } from './generation.js';

const WORD = 2 ** 32;
const LAST_INDEX = WORD - 1;

/**
 * An object's entity as answers write it: a number, or a text. An object's number is never used again, so the entity's generation is always the
 * first: 1 up to Bevy 0.16, where the index is in the low bits, and 0 since 0.17, where it counts down in them.
 */
export function entityOf(objectNumber: number, generation: Dialect): number | string {
  if (generation === 'proposal') return entityText(objectNumber, generation);
  return isBefore(generation, '0.17') ? WORD + objectNumber : LAST_INDEX - objectNumber;
}

/** An entity in sentences: index and generation, such as `4v1`. */
export const entityText = (objectNumber: number, generation: Dialect): string =>
  `${objectNumber}v${isBefore(generation, '0.17') ? 1 : 0}`;

/** An entity that a client has named. */
export interface NamedEntity {
  /** Undefined for a number that no object can have. */
  readonly objectNumber: number | undefined;
  readonly text: string;
}

/**
 * In an entity's text, a number above this is no index but the whole entity: its index counts down from 2^32, or its
 * generation is in the high bits.
 */
const HIGHEST_INDEX = 2 ** 31;
const TEXT = /^(\d{1,16})v(\d{1,10})$/;

/** Reads an entity of either numbering, or its text; undefined for what is no entity at all. */
export function readEntity(given: unknown, generation: Dialect): NamedEntity | undefined {
  if (typeof given === 'number') return readBits(given, generation);
  const [, number, ordinal] = TEXT.exec(typeof given === 'string' ? given : '') ?? [];
  if (number === undefined) return undefined;
  if (Number(number) > HIGHEST_INDEX) return readBits(Number(number), generation);
  return { objectNumber: Number(ordinal) <= 1 ? Number(number) : undefined, text: given as string };
}

function readBits(bits: number, generation: Dialect): NamedEntity | undefined {
  const low = bits % WORD;
  // Zero in the low bits is no entity in either numbering.
  if (!Number.isInteger(bits) || bits < 0 || low === 0) return undefined;
  const high = Math.floor(bits / WORD);
  const isOld = high === 1 || isBefore(generation, '0.17');
  const index = isOld && high > 0 ? low : LAST_INDEX - low;
  return { objectNumber: high <= 1 ? index : undefined, text: `${index}v${high}` };
}
