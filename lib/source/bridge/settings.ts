// Writes of clients as settings of single variables or arrays, which is what Trick takes.
import { convertFor } from '../../model/state/assign.js';
import type { Catalog } from '../../model/state/catalog.js';
import type { Value } from '../../model/state/read.js';
import { isCharacters, type Type } from '../../model/state/type.js';
import { withZeros } from '../../model/state/zero.js';
import { RequestError, type Write } from '../../simulation/executive/request.js';
import { refused } from '../../simulation/executive/write.js';
import { holdsText, leafOf } from './catalog.js';

export interface SettingElsewhere {
  readonly path: string;
  readonly value: Value;
}

/** Throws a RequestError for a write that does not fit. */
export function settingsOf(catalog: Catalog, writes: readonly Write[]): SettingElsewhere[] {
  return writes.flatMap(({ path, value, catalogVersion }) => {
    const variable = catalog.find(path);
    if (!variable) throw new RequestError(catalog.explain(path));
    if (path.startsWith('trick_')) throw new RequestError(`${path} is read-only here`);
    const fit = catalogVersion === catalog.version ? value : refused(() => convertFor(variable, value));
    return [...single(variable.path, variable.type, withZeros(variable.type, fit))];
  });
}

function* single(path: string, type: Type, value: Value): Generator<SettingElsewhere> {
  if (value === null) throw new RequestError(`${path} cannot be set to null through a bridge`);
  if (type.kind === 'sequence' || type.kind === 'pointer')
    throw new RequestError(`${path} is set by its elements through a bridge`);
  if (type.kind === 'struct') {
    for (const { name, type: own } of type.members) {
      const given = (value as Readonly<Record<string, Value | undefined>>)[name];
      if (given !== undefined) yield* single(`${path}.${name}`, own, given);
    }
  } else if (type.kind === 'array' && !isCharacters(type) && !isNumbers(type)) {
    for (const [index, item] of (value as readonly Value[]).entries())
      yield* single(`${path}[${index}]`, type.element, item);
  } else yield { path, value };
}

const isNumbers = (type: Type): boolean => /^(number|enumeration)$/.test(leafOf(type).kind) && !holdsText(type);
