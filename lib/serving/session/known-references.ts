// References that were asked for before: making thousands anew for each call fills the memory faster than it is cleaned.
import { isExpression } from '../../source/derived/signals.js';
import type { Source } from '../../source/source.js';
import { Reference } from './reference.js';

/** A client that invents spellings must not fill the memory. */
const MOST_KNOWN = 16_384;
const LONGEST_KNOWN = 256;

const knownOf = new WeakMap<Source, Map<string, Reference>>();

/**
 * A reference to a variable, the same for all who ask for this path in its own units. Throws what a Reference throws.
 */
export function referenceTo(source: Source, alias: string, units?: string): Reference {
  // A signal that has given way must not go on in a reference that nobody counts.
  const isKept = units === undefined && alias.length <= LONGEST_KNOWN && !isExpression(alias);
  if (!isKept) return new Reference(source, alias, units);
  const known = knownIn(source);
  const before = known.get(alias);
  if (before?.isReadable) return before;
  const reference = new Reference(source, alias);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(alias, reference);
  return reference;
}

function knownIn(source: Source): Map<string, Reference> {
  const before = knownOf.get(source);
  if (before) return before;
  const known = new Map<string, Reference>();
  knownOf.set(source, known);
  return known;
}
