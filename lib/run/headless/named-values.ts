// Variables of a run by name, with units behind it if others are meant than its own: `ball.height`, `ball.height{ft}`.

import { convertFor } from '../../model/state/assign.js';
import { labelled } from '../../model/state/labelled.js';
import { readVariable, type Value } from '../../model/state/read.js';
import type { Variable } from '../../model/state/variable.js';
import { exactConverter } from '../../model/units/index.js';
import { splitUnits, toOwnUnits, unitOf } from '../../serving/session/own-units.js';
import { RequestError, type Write } from '../../simulation/executive/request.js';
import type { RunningSimulation } from '../../simulation/executive/running-simulation.js';

type Run = Pick<RunningSimulation, 'catalog' | 'state'>;

/** Throws a RequestError with the nearest names for an unknown path. */
export function findVariable({ catalog }: Run, path: string): Variable {
  const variable = catalog.find(path);
  if (!variable) throw new RequestError(catalog.explain(path));
  return variable;
}

/**
 * The value of a variable: enumerations as labels, 64-bit integers as bigint. Undefined while a pointer on its path is
 * null or an index is too large. Throws a RequestError for an unknown path, and a UnitsError for units that do not
 * convert.
 */
export function readNamed(run: Run, name: string): Value | undefined {
  const { path, units } = splitUnits(name);
  return readIn(run, path, units);
}

/** As `readNamed`, of a path and units. */
export function readIn(run: Run, path: string, units: string | undefined): Value | undefined {
  const variable = findVariable(run, path);
  const value = readVariable(variable, run.state.arena.memory);
  if (value === undefined) return undefined;
  if (units === undefined) return labelled(variable.type, value);
  return converted(value, exactConverter(unitOf(variable), units).convert);
}

/**
 * The write of a value by the name of its variable. Throws a RequestError for an unknown path and where a part of a
 * number would be lost, and a UnitsError for units that do not convert.
 */
export function writeNamed(run: Run, name: string, value: Value): Write {
  const { path, units = '' } = splitUnits(name);
  return writeIn(run, path, value, units, { takesNaN: false });
}

/** As `writeNamed`, of a path and units. */
export function writeIn(
  run: Run,
  path: string,
  value: Value,
  units: string,
  wanted: { readonly takesNaN: boolean },
): Write {
  const variable = findVariable(run, path);
  const own = toOwnUnits(variable, value, units);
  try {
    convertFor(variable, own, wanted.takesNaN ? 'exact' : 'initial');
  } catch (error) {
    throw new RequestError((error as Error).message, { cause: error });
  }
  return { path, value: own };
}

/** The units of the values that `readNamed` gives; undefined where there is no such variable, and for a structure. */
export function unitsNamed({ catalog }: Run, name: string): string | undefined {
  const { path, units } = splitUnits(name);
  const variable = catalog.find(path);
  return variable && variable.type.kind !== 'struct' ? (units ?? variable.units) : undefined;
}

/** The units of several, by their names. */
export const unitsOfAll = (run: Run, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.flatMap((name) => [[name, unitsNamed(run, name)]].filter(([, units]) => units !== undefined)),
  );

function converted(value: Value, convert: (x: number) => number): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return convert(Number(value));
  return Array.isArray(value) ? value.map((item: Value) => converted(item, convert)) : value;
}
