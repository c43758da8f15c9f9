// Modules of Python that input files import and hardly use: importing them works, but they are empty.
import { ScriptError } from './error.js';
import type { ModuleValue } from './values.js';

const LIBRARY = [
  'abc argparse base64 bisect calendar cmath collections configparser contextlib copy csv ctypes dataclasses decimal enum',
  'errno fnmatch fractions functools gc getopt getpass glob gzip hashlib heapq importlib inspect io itertools json locale',
  'logging multiprocessing numbers operator pathlib pickle platform pprint queue random re select shlex shutil signal',
  'socket sqlite3 statistics string struct tempfile textwrap threading time traceback types typing unittest',
  'uuid warnings weakref zipfile',
].flatMap((line) => line.split(' '));

/**
 * @param others names of further modules that there are.
 * @param imported called with the name of an imported module.
 */
export const namedModules = (
  others: readonly string[],
  imported: (name: string) => void,
): readonly (readonly [string, ModuleValue])[] =>
  [...LIBRARY, ...others].map((name) => [name, namedModule(name, imported)] as const);

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
