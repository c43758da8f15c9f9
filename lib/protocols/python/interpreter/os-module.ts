// The module `os` as clients see it: functions that compute with texts only; nothing of the host can be seen or reached.
import { ScriptError } from './error.js';
import type { Meter } from './meter.js';
import { fixedModule } from './modules.js';
import { takeText } from './operators.js';
import { keywordsOf, only } from './signature.js';
import { typeName } from './type-name.js';
import {
  type Arguments,
  type Callable,
  DictionaryValue,
  type ModuleValue,
  type ScriptValue,
  TupleValue,
} from './values.js';

/** A function of one path. */
export function ofPath(name: string, of: (path: string) => ScriptValue): Callable {
  return {
    kind: 'callable',
    name,
    call: (args, { meter }) => {
      const path = pathOf(only(name, args, 1, 1)[0] ?? null);
      takeText(path.length, meter);
      return of(path);
    },
  };
}

function pathOf(value: ScriptValue): string {
  if (typeof value === 'string') return value;
  throw new ScriptError('TypeError', `expected str, bytes or os.PathLike object, not ${typeName(value)}`);
}

/** Where the last name of a path begins. */
const nameStart = (path: string): number => path.lastIndexOf('/') + 1;

function directoryOf(path: string): string {
  const head = path.slice(0, nameStart(path));
  const isRoot = head === '/'.repeat(head.length);
  return isRoot ? head : withoutLastSlashes(head);
}

function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end--;
  return path.slice(0, end);
}

function splitExtension(path: string): ScriptValue {
  let nameAt = nameStart(path);
  while (path[nameAt] === '.') nameAt++;
  const dot = path.lastIndexOf('.');
  return new TupleValue(dot > nameAt ? [path.slice(0, dot), path.slice(dot)] : [path, '']);
}

/** Without `.`, and without `..` where a name stands before it. */
export function normalized(path: string): string {
  const start = path.startsWith('/') ? '/' : '';
  const names: string[] = [];
  for (const name of path.split('/')) {
    const isUp = name === '..' && (start === '/' || (names.length > 0 && names.at(-1) !== '..'));
    if (isUp) names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  return start + names.join('/') || '.';
}

/** An absolute part begins anew, as in Python. */
function joined({ positional, keywords }: Arguments, meter: Meter): ScriptValue {
  if (keywords[0] || positional.length === 0)
    throw new ScriptError('TypeError', "join() missing 1 required positional argument: 'a'");
  let path = '';
  for (const [index, part] of positional.map(pathOf).entries()) {
    const isAnew = index === 0 || part.startsWith('/');
    path = isAnew ? part : `${path}${path === '' || path.endsWith('/') ? '' : '/'}${part}`;
    takeText(path.length, meter);
  }
  return path;
}

/** Functions that answer False, because the host's files cannot be seen. */
const UNSEEN = ['exists', 'isfile', 'isdir'];

const pathModule = fixedModule('os.path', {
  sep: '/',
  join: { kind: 'callable', name: 'join', call: (args, { meter }) => joined(args, meter) },
  basename: ofPath('basename', (path) => path.slice(nameStart(path))),
  dirname: ofPath('dirname', directoryOf),
  splitext: ofPath('splitext', splitExtension),
  split: ofPath('split', (path) => new TupleValue([directoryOf(path), path.slice(nameStart(path))])),
  isabs: ofPath('isabs', (path) => path.startsWith('/')),
  normpath: ofPath('normpath', normalized),
  ...Object.fromEntries(UNSEEN.map((name) => [name, ofPath(name, () => false)])),
});

/** `os.getenv("NAME", other)` answers the other value, or None, for a name that `find` does not find. */
export const getenv = (find: (name: string) => ScriptValue | undefined): Callable => ({
  kind: 'callable',
  name: 'getenv',
  call: (args) => {
    const [word] = keywordsOf('getenv', args, ['default']);
    const [name = null, other = word ?? null] = only('getenv', { ...args, keywords: [] }, 1, 2);
    if (typeof name !== 'string') throw new ScriptError('TypeError', `str expected, not ${typeName(name)}`);
    const value = find(name);
    return value === undefined ? other : value;
  },
});

/**
 * Every use of `os.environ` makes a new empty dictionary, so that nothing can be kept in it.
 * @param find what `os.getenv` answers.
 */
export function osModule(find: (name: string) => ScriptValue | undefined): ModuleValue {
  const plain = fixedModule('os', { path: pathModule, sep: '/', getenv: getenv(find) });
  return {
    ...plain,
    attribute: (name) => (name === 'environ' ? new DictionaryValue() : plain.attribute(name)),
    names: () => [...plain.names(), 'environ'],
  };
}

export const osPathModule: ModuleValue = pathModule;
