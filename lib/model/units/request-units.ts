// The units that a Trick client's request for units results in.
import { type Converter, converter } from './convert.js';
import { mapTrickUnits } from './trick-units.js';
import { UnitsError } from './units-error.js';

/** The units to show and the converter to them, or the reason why the shown units do not change. */
export type UnitsAnswer = { readonly shown: string; readonly converter: Converter } | { readonly unchanged: string };

/**
 * Answers a request for units of a variable declared in others. `xx` asks for the declared ones; `--` and empty text ask for
 * nothing; a variable declared `--` is shown as `--` when `1` is asked for; units that do not parse or convert change nothing. Never throws.
 * (Trick: sim_services/VariableServer/VariableReference.cpp, setRequestedUnits.)
 */
export function requestUnits(declaredUnits: string, requestedUnits: string): UnitsAnswer {
  if (requestedUnits === '--') return { unchanged: '"--" asks for no conversion' };
  if (requestedUnits === '') return { unchanged: 'no units were asked for' };
  const declared = mapTrickUnits(declaredUnits);
  const requested = requestedUnits === 'xx' ? declared : mapTrickUnits(requestedUnits);
  try {
    return {
      shown: requested === '1' && declaredUnits === '--' ? '--' : requested,
      converter: converter(declared, requested),
    };
  } catch (error) {
    if (error instanceof UnitsError) return { unchanged: error.message };
    throw error;
  }
}
