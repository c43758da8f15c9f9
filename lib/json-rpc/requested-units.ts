// The parameter `units`, and references made with it.
import { Reference } from '../session/reference.js';
import type { Slice, Sliced } from '../session/turns.js';
import type { Source } from '../source/source.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';

/** UDUNITS text for all aliases, or by alias. */
export type RequestedUnits = string | Readonly<Record<string, string>> | undefined;

/** One reference per alias, each alias once. Throws what a Reference throws, before any reference is used. */
export function* createReferences(
  source: Source,
  aliases: readonly string[],
  units: RequestedUnits,
  slice: Slice,
): Sliced<Reference[]> {
  const unique = new Set(aliases);
  if (units !== undefined && typeof units !== 'string') checkUnitAliases(unique, units);
  const references: Reference[] = [];
  for (const alias of unique) {
    references.push(new Reference(source, alias, unitsFor(units, alias)));
    if (slice.isOver(STEPS_PER_REFERENCE)) yield;
  }
  return references;
}

/** A path or unit in an unusual spelling takes some microseconds to parse. */
const STEPS_PER_REFERENCE = 8;

export function unitsFor(units: RequestedUnits, alias: string): string | undefined {
  if (units === undefined || typeof units === 'string') return units;
  return Object.hasOwn(units, alias) ? units[alias] : undefined;
}

/** Throws an RpcError for units of an alias that is not among these. */
export function checkUnitAliases(aliases: ReadonlySet<string>, units: Readonly<Record<string, string>>): void {
  const stray = Object.keys(units).find((alias) => !aliases.has(alias));
  if (stray !== undefined) {
    throw new RpcError(RpcCode.invalidParams, `units are given for ${quoted(stray)}, which is not asked for`);
  }
}
