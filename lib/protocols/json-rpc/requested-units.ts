// The parameter `units`, and references made with it.

import type { Variable } from '../../model/state/variable.js';
import { referenceTo } from '../../serving/session/known-references.js';
import { catalogOf, findReadable, type Reference } from '../../serving/session/reference.js';
import { isExpression } from '../../source/derived/signals.js';
import type { Source } from '../../source/source.js';
import { quoted, RpcCode, RpcError } from './rpc-error.js';

/** UDUNITS text for all aliases, or by alias. */
export type RequestedUnits = string | Readonly<Record<string, string>> | undefined;

/** One reference per alias, each alias once. Throws what a Reference throws, before any reference is used. */
async function createReferences(
  source: Source,
  aliases: readonly string[],
  units: RequestedUnits,
  turn: Turn,
): Promise<Reference[]> {
  const unique = new Set(aliases);
  if (units !== undefined && typeof units !== 'string') checkUnitAliases(unique, units);
  const references: Reference[] = [];
  for (const alias of unique) {
    if (references.length % FOUND_AT_ONCE === 0) await turn();
    references.push(referenceTo(source, alias, unitsFor(units, alias)));
  }
  return references;
}

/** The variables that exist, and a sentence on each that does not. */
export interface FoundReferences {
  readonly references: Reference[];
  /** By alias; without entries when all exist. */
  readonly missing: Readonly<Record<string, string>>;
}

export interface RequestedVariables {
  readonly aliases: readonly string[];
  readonly units?: RequestedUnits;
  readonly lenient?: boolean | undefined;
}

/** `Caller.turn`. */
type Turn = () => Promise<void>;

/** The references that a call with `aliases`, `units` and `lenient` asks for. */
export async function createFound(
  source: Source,
  { aliases, units, lenient }: RequestedVariables,
  turn: Turn,
): Promise<FoundReferences> {
  if (lenient) return createLenientReferences(source, aliases, units, turn);
  return { references: await createReferences(source, aliases, units, turn), missing: {} };
}

/** As `createReferences`, but what does not exist or cannot be read is named and left out. */
async function createLenientReferences(
  source: Source,
  aliases: readonly string[],
  units: RequestedUnits,
  turn: Turn,
): Promise<FoundReferences> {
  const missing = new Map<string, string>();
  const existing: string[] = [];
  let looked = 0;
  for (const alias of new Set(aliases)) {
    if (looked++ % FOUND_AT_ONCE === 0) await turn();
    const variable = isExpression(alias) ? derivedOr(source, alias, missing) : catalogOf(source, alias).find(alias);
    if (variable?.access === 'write-only') missing.set(alias, `${variable.path} is write-only`);
    else if (variable) existing.push(alias);
    else if (!missing.has(alias)) missing.set(alias, '');
  }
  let explained = 0;
  for (const [alias, sentence] of missing) {
    if (sentence !== '') continue;
    const isExplained = explained++ < MOST_EXPLAINED;
    if (isExplained) await turn();
    missing.set(alias, isExplained ? catalogOf(source, alias).explain(alias) : `there is no variable ${quoted(alias)}`);
  }
  const known = new Set(aliases);
  if (units !== undefined && typeof units !== 'string') checkUnitAliases(known, units);
  const wanted = typeof units === 'object' ? omitted(units, missing) : units;
  const references = await createReferences(source, existing, wanted, turn);
  return { references, missing: Object.fromEntries(missing) };
}

/** The variable of an expression; why there is none stands among the missing. */
function derivedOr(source: Source, alias: string, missing: Map<string, string>): Variable | undefined {
  try {
    return findReadable(source, alias);
  } catch (error) {
    missing.set(alias, (error as Error).message);
    return undefined;
  }
}

const omitted = (units: Readonly<Record<string, string>>, missing: ReadonlyMap<string, string>) =>
  Object.fromEntries(Object.entries(units).filter(([alias]) => !missing.has(alias)));

/** Looking for the nearest names takes a millisecond. */
const MOST_EXPLAINED = 20;

/** How many names are looked up between two turns; one in an unusual spelling takes some microseconds to parse. */
const FOUND_AT_ONCE = 64;

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
