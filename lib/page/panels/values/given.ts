// Reads settings from whatever a layout holds: values of a wrong kind are left out, without an error.

export type Given = Readonly<Record<string, unknown>>;

export const recordOf = (given: unknown): Given =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Given) : {};

export const textOf = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given : undefined;

/** A finite number within bounds; undefined for anything else. */
export const numberOf = (given: unknown, least = -Infinity, most = Infinity): number | undefined =>
  typeof given === 'number' && Number.isFinite(given) && given >= least && given <= most ? given : undefined;

/** The entries of a list that make sense, at most so many. */
export function listOf<Entry>(given: unknown, most: number, entryOf: (given: unknown) => Entry | undefined): Entry[] {
  if (!Array.isArray(given)) return [];
  return given
    .slice(0, most)
    .map(entryOf)
    .filter((entry) => entry !== undefined);
}
