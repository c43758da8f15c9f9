// Modules of Python that input files import and hardly use: importing them works, but they are empty.
import { ScriptError } from './error.js';
import type { ModuleValue } from './values.js';

/** The modules that input files of NASA's simulations import, and Trick's own `top`. */
const NAMES = [
  'abc',
  'collections',
  'copy',
  'csv',
  'inspect',
  'json',
  'platform',
  'random',
  're',
  'socket',
  'string',
  'struct',
  'threading',
  'time',
  'top',
] as const;

/** @param imported called with the name of an imported module. */
export const namedModules = (imported: (name: string) => void): readonly (readonly [string, ModuleValue])[] =>
  NAMES.map((name) => [name, namedModule(name, imported)] as const);

function namedModule(name: string, imported: (name: string) => void): ModuleValue {
  return {
    kind: 'module',
    name,
    isNameOnly: true,
    imported: () => imported(name),
    attribute: (attribute) => {
      throw new ScriptError(
        'AttributeError',
        `there is no ${name}.${attribute} here: of the module ${name} there is the name alone, texts reach only the simulation`,
      );
    },
    names: () => [],
  };
}
