// Checks the units of all variables when a simulation has been built.
import type { State } from '../model/state.js';
import { type Member, shapeOf } from '../model/type.js';
import { mapTrickUnits } from '../units/trick-units.js';
import { findUnit } from '../units/unit-names.js';

/** Products and quotients of names with one-digit powers, such as kg*m2/s: no grammar is needed to check them. */
const PLAIN = /^[A-Za-z]+\d?(?:[*/][A-Za-z]+\d?)*$/;

function isPlainlyValid(units: string): boolean {
  if (units === '1') return true;
  return PLAIN.test(units) && units.split(/[*/]/).every((factor) => findUnit(factor.replace(/\d$/, '')) !== undefined);
}

/** Throws an Error that names the first variable whose units do not exist. */
export async function requireUnits(state: State): Promise<void> {
  const doubtful = new Map<string, string>();
  const seen = new Set<string>();
  const look = (path: string, { units, type }: Member): void => {
    const mapped = mapTrickUnits(units);
    if (!seen.has(mapped)) {
      seen.add(mapped);
      if (!isPlainlyValid(mapped)) doubtful.set(mapped, path);
    }
    const { element } = shapeOf(type);
    const inner = element.kind === 'sequence' ? element.element : element;
    if (inner.kind === 'struct') for (const member of inner.members) look(`${path}.${member.name}`, member);
  };
  for (const { name, type } of state.describe().objects) {
    for (const member of type.members) look(`${name}.${member.name}`, member);
  }
  if (doubtful.size === 0) return;
  // The grammar of units takes a while to load, and most simulations do not need it at their start.
  const { converter } = await import('../units/index.js');
  for (const [units, path] of doubtful) {
    try {
      converter(units, units);
    } catch (error) {
      throw new Error(`${path} has ${(error as Error).message}`, { cause: error });
    }
  }
}
