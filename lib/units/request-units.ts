// What a Trick client gets when it asks for units.
import { type Converter, converter } from './convert.js';
import { mapTrickUnits } from './trick-units.js';
import { UnitsError } from './units-error.js';

/** Either the units to show and the way to them, or the reason why the variable's shown units stay as they are. */
export type UnitsAnswer = { readonly shown: string; readonly converter: Converter } | { readonly unchanged: string };

/**
 * Answers a request for units of a variable declared in others. `xx` asks for the declared ones; `--` and empty text ask for
 * nothing; units of `1` are shown as `--`; units that do not parse or convert change nothing. Never throws.
 * (Trick: sim_services/VariableServer/VariableReference.cpp, setRequestedUnits.)
 */
export function requestUnits(declaredUnits: string, requestedUnits: string): UnitsAnswer {
  if (requestedUnits === '--') return { unchanged: '"--" asks for no conversion' };
  if (requestedUnits === '') return { unchanged: 'no units were asked for' };
  const declared = mapTrickUnits(declaredUnits);
  const requested = requestedUnits === 'xx' ? declared : mapTrickUnits(requestedUnits);
  try {
    return { shown: requested === '1' ? '--' : requested, converter: converter(declared, requested) };
  } catch (error) {
    if (error instanceof UnitsError) return { unchanged: error.message };
    throw error;
  }
}
