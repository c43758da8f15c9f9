// Several simulations side by side: each is served alone too, below a path of its own.
import type { SimulationPlace } from '../../protocols/http/shipped-page.js';
import type { Source } from '../../source/source.js';
import type { SourceOptions } from './options.js';

export type { SimulationPlace };

/** Before the name in the path of one of them. */
export const ALONE = 'alone';

/**
 * What a page lets people choose from: all together, and each alone. Empty for a source that shows one.
 * @param shown the one that the page is of; undefined for all.
 */
export function placesOf({ alone }: Source, shown?: string): readonly SimulationPlace[] {
  if (!alone) return [];
  const toAll = shown === undefined ? './' : '../../';
  const toOne = shown === undefined ? `${ALONE}/` : '../';
  const each = [...alone.keys()].map((name) => ({ name, address: `${toOne}${name}/`, isShown: name === shown }));
  return [{ name: 'side by side', address: toAll, isShown: shown === undefined }, ...each];
}

/** The options of a server of one: it has no port, and what names variables is told of all together. */
export function aloneOf(options: SourceOptions): SourceOptions {
  const { layoutFile, keep, references, set, inputFile, nats, www, jsonvs, frontEnds, ...shared } = options;
  return { ...shared, http: 'off', messages: 'off', discovery: false };
}
