// What a simulation asks to record: paths, patterns, views and whole structures become paths of single numbers.
import { Catalog } from '../../model/state/catalog.js';
import type { State } from '../../model/state/state.js';
import { isCharacters, isLeaf, sizeOf, type Type } from '../../model/state/type.js';
import { childrenOf, type Variable } from '../../model/state/variable.js';
import type { RecordedVariable } from '../recording/record-options.js';

/** A path, a pattern with `*` and `?`, a path with a name for its column, or the view of a component or of a part of one. */
export type Recordable = string | object;

const isPattern = (text: string): boolean => /[*?]/.test(text);
const isRecorded = (type: Type): boolean => isLeaf(type) && type.kind !== 'text';

/** The single numbers at and below a variable. */
function* numbersIn(variable: Variable): Generator<Variable> {
  if (isRecorded(variable.type)) yield variable;
  else if (!isCharacters(variable.type)) for (const child of childrenOf(variable)) yield* numbersIn(child);
}

function* numbersOf(catalog: Catalog): Generator<Variable> {
  for (const { name, type } of catalog.objects) {
    for (const member of type.members) {
      const component = catalog.find(`${name}.${member.name}`);
      if (component) yield* numbersIn(component);
    }
  }
}

/**
 * The paths in order, each once. A pattern means the variables that have been declared so far. Throws an Error for a
 * pattern or view that holds no number. Paths that do not exist are kept: the recording refuses them with a sentence.
 */
export function recordedPaths(state: State, variables: readonly Recordable[]): RecordedVariable[] {
  let known: Catalog | undefined;
  const paths = variables.flatMap((one): RecordedVariable[] => {
    if (isNamed(one) && !state.arena.extentOf(one)) return [one];
    known ??= new Catalog(state.describe());
    if (typeof one !== 'string') return pathsOfView(state, known, one);
    if (isPattern(one)) return matching(known, one);
    const variable = known.find(one);
    const numbers = variable ? [...numbersIn(variable)] : [];
    return numbers.length === 0 ? [one] : numbers.map(({ path }) => path);
  });
  return [...new Set(paths)];
}

const isNamed = (one: Recordable): one is Exclude<RecordedVariable, string> =>
  typeof one === 'object' &&
  'path' in one &&
  'name' in one &&
  typeof one.path === 'string' &&
  typeof one.name === 'string';

function matching(catalog: Catalog, pattern: string): string[] {
  const source = pattern
    .replace(/[.[\]()^$+{}|\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  const expression = new RegExp(`^${source}$`);
  const paths = [...numbersOf(catalog)].map(({ path }) => path).filter((path) => expression.test(path));
  if (paths.length > 0) return paths;
  throw new Error(`no number of the simulation so far matches ${pattern}`);
}

function pathsOfView(state: State, catalog: Catalog, view: object): string[] {
  const extent = state.arena.extentOf(view);
  if (!extent) throw new TypeError('what is recorded is a path, a pattern or a view of this simulation');
  const { offsetBytes } = extent;
  const sizeBytes = sizeOf(extent.type);
  const isWithin = (variable: Variable): boolean =>
    variable.hops.length === 0 && variable.offsetBytes >= offsetBytes && variable.offsetBytes < offsetBytes + sizeBytes;
  const paths = [...numbersOf(catalog)].filter(isWithin).map(({ path }) => path);
  if (paths.length > 0) return paths;
  throw new Error('a view that is to be recorded holds no number');
}
