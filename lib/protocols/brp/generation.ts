// The protocol's generations: the releases of Bevy whose names and shapes differ.

export const GENERATIONS = ['0.15', '0.16', '0.17', '0.18', '0.19'] as const;
export type Generation = (typeof GENERATIONS)[number];
/** The proposal before all releases reads and writes as the latest does, but for entities in answers, which are texts. */
export type Dialect = Generation | 'proposal';
export const LATEST: Generation = '0.19';

/** The latest release of each generation, which clients choose their dialect by. */
export const VERSIONS: Readonly<Record<Generation, string>> = {
  '0.15': '0.15.3',
  '0.16': '0.16.1',
  '0.17': '0.17.3',
  '0.18': '0.18.1',
  '0.19': '0.19.1',
};

export const isBefore = (one: Dialect, other: Generation): boolean =>
  one !== 'proposal' && GENERATIONS.indexOf(one) < GENERATIONS.indexOf(other);

const NEW_NAME = /^(?:world\.|registry\.|schedule\.)/;

/** The generation of a call by its method's name; where the name does not tell, the one that the operator prefers. */
export function generationOf(method: string, preferred: Generation): Generation {
  if (method.startsWith('bevy/')) return isBefore(preferred, '0.17') ? preferred : '0.16';
  if (NEW_NAME.test(method) && isBefore(preferred, '0.17')) return LATEST;
  return preferred;
}
