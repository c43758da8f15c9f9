// The parameter `units`: for all aliases, or by alias; and references made with it.
import { Reference } from '../session/reference.js';
import type { Source } from '../source/source.js';
import { RpcCode, RpcError } from './rpc-error.js';

/** UDUNITS text for all aliases, or by alias. */
export type RequestedUnits = string | Readonly<Record<string, string>> | undefined;

/** One reference an alias, each once. Throws what a Reference throws, before any is used. */
export function createReferences(source: Source, aliases: readonly string[], units: RequestedUnits): Reference[] {
  const unique = [...new Set(aliases)];
  if (units !== undefined && typeof units !== 'string') checkUnitAliases(unique, units);
  return unique.map((alias) => new Reference(source, alias, unitsFor(units, alias)));
}

export function unitsFor(units: RequestedUnits, alias: string): string | undefined {
  if (units === undefined || typeof units === 'string') return units;
  return Object.hasOwn(units, alias) ? units[alias] : undefined;
}

/** Throws an RpcError for units of an alias that is not among these. */
export function checkUnitAliases(aliases: readonly string[], units: Readonly<Record<string, string>>): void {
  const stray = Object.keys(units).find((alias) => !aliases.includes(alias));
  if (stray !== undefined) {
    throw new RpcError(RpcCode.invalidParams, `units are given for ${JSON.stringify(stray)}, which is not asked for`);
  }
}
