// What people type into the form of a function, as arguments of sim/call.
import type { Json } from '../../data/server.js';
import { enteredValue } from '../values/entered-value.js';
import type { ValueKind } from '../values/value-text.js';

export interface Parameter {
  readonly name: string;
  /** As C names it. */
  readonly type: string;
  /** 1 for none. */
  readonly unit: string;
  /** Extents; empty for one value. */
  readonly dim: readonly number[];
  readonly about: string;
}

/** The entered arguments by name, with units where they were typed; or why a field's text means none, by its name. */
export type EnteredArguments =
  | { readonly arguments: Readonly<Record<string, Json>>; readonly units: Readonly<Record<string, string>> }
  | { readonly faults: Readonly<Record<string, string>> };

export const isText = ({ type }: Parameter): boolean => /^(std::string|wchar_t|char)$/.test(type);
export const isYesOrNo = ({ type, dim }: Parameter): boolean => type === 'bool' && dim.length === 0;

export function enteredArguments(
  parameters: readonly Parameter[],
  texts: Readonly<Record<string, string>>,
): EnteredArguments {
  const given: Record<string, Json> = {};
  const units: Record<string, string> = {};
  const faults: Record<string, string> = {};
  for (const parameter of parameters) {
    const entered = enteredArgument(parameter, texts[parameter.name] ?? '');
    if ('fault' in entered) faults[parameter.name] = entered.fault;
    else {
      given[parameter.name] = entered.value;
      if (entered.units !== undefined) units[parameter.name] = entered.units;
    }
  }
  return Object.keys(faults).length > 0 ? { faults } : { arguments: given, units };
}

function enteredArgument(parameter: Parameter, text: string): ReturnType<typeof enteredValue> {
  const kind: ValueKind = { kind: isText(parameter) ? 'text' : 'number', type_path: parameter.type };
  if (parameter.dim.length === 0 || kind.kind === 'text') {
    // What is no C number is an enumeration or a structure, which the server reads.
    const isNumber = /^(unsigned )?(char|short|int|long( long)?|float|double|bool)$/.test(parameter.type);
    return isNumber || kind.kind === 'text' ? enteredValue(text, kind) : { value: text.trim() };
  }
  try {
    const list = JSON.parse(`[${text.trim().replace(/^\[([\s\S]*)\]$/, '$1')}]`) as Json;
    return { value: list };
  } catch {
    return { fault: 'expected numbers with commas between them: 1, 2, 3' };
  }
}
