// `open`, `exec` and their kin: texts read files of the directories that the operator allows, and run what they have read.
import { ScriptError } from './error.js';
import type { TextFiles } from './file-module.js';
import { hostOf } from './host.js';
import { OpenFile } from './open-file.js';
import { takeText } from './operators.js';
import { keywordsOf, only } from './signature.js';
import { typeName } from './type-name.js';
import {
  type Arguments,
  Bytes,
  type Callable,
  HostObject,
  type IncludedBlock,
  type Run,
  type ScriptValue,
  type Tools,
} from './values.js';

/** What `compile` makes of a file's text. */
class Code extends HostObject {
  readonly typeName = 'code';

  constructor(readonly block: IncludedBlock) {
    super();
  }
}

/** What `globals()` and `locals()` answer: it stands for the names where `exec` runs a text, and nothing else. */
class Names extends HostObject {
  readonly typeName = 'dict';

  constructor(readonly isGlobal: boolean) {
    super();
  }
}

/** A client's text may hold one of these functions that the input file has put under a name. */
function filesOf(tools: Tools): TextFiles {
  const { files } = hostOf(tools);
  if (files) return files;
  throw new ScriptError('OSError', 'files are read for the input file alone');
}

function readName(name: ScriptValue | undefined): string {
  if (typeof name === 'string') return name;
  throw new ScriptError('TypeError', `the name of a file must be a text, not ${typeName(name ?? null)}`);
}

const READ_MODE = /^[rbtU]+$/;
const READ_ENCODING = /^(utf-?8|latin|iso-?8859|ascii|us-ascii|cp1252|windows-1252)/i;

/** `open(name, mode)`: for reading only. */
function open(args: Arguments, tools: Tools): ScriptValue {
  const [word, encoding] = keywordsOf('open', args, ['mode', 'encoding', 'errors', 'newline', 'buffering']);
  const [given, place] = only('open', { ...args, keywords: [] }, 1, 4);
  const name = readName(given);
  const mode = place ?? word ?? 'r';
  if (typeof mode !== 'string' || !READ_MODE.test(mode))
    throw new ScriptError('OSError', `${name} is not opened: files are only read here, with mode 'r' or 'rb'`);
  if (typeof encoding === 'string' && !READ_ENCODING.test(encoding))
    throw new ScriptError('OSError', `${name} is not opened: files are read as UTF-8 or Latin-1, not as ${encoding}`);
  const { text, bytes } = filesOf(tools).read(name);
  const isBinary = mode.includes('b');
  takeText(isBinary ? bytes.length : text.length, tools.meter);
  return new OpenFile(name, isBinary ? Buffer.from(bytes).toString('latin1') : text, isBinary);
}

/** The block of a text that was read from a file. */
function blockOf(name: string, source: ScriptValue | undefined, tools: Tools): IncludedBlock {
  if (source instanceof Code) return source.block;
  const isText = typeof source === 'string' || source instanceof Bytes;
  const block = isText ? filesOf(tools).blockOf(source) : undefined;
  if (block) return block;
  throw new ScriptError(
    'RuntimeError',
    `${name}() takes a text that open() has read from a file, as it is, and no other`,
  );
}

/** `compile(text, name, "exec")` */
function compile(args: Arguments, tools: Tools): ScriptValue {
  const [word] = keywordsOf('compile', args, ['mode', 'filename', 'dont_inherit', 'optimize']);
  const [source, , mode = word] = only('compile', { ...args, keywords: [] }, 1, 6);
  if (mode !== 'exec') throw new ScriptError('ValueError', "compile() mode must be 'exec' here");
  return new Code(blockOf('compile', source, tools));
}

/** `exec(text)`, `exec(text, globals())` */
function* exec(args: Arguments, tools: Tools): Run<ScriptValue> {
  const [source, names, locals] = only('exec', args, 1, 3);
  const block = blockOf('exec', source, tools);
  for (const given of [names, locals])
    if (given !== undefined && given !== null && !(given instanceof Names))
      throw new ScriptError('TypeError', 'exec() takes globals() and locals() as they are, and no other names');
  yield* tools.include(block, ((locals ?? names) as Names | undefined)?.isGlobal === true);
  return null;
}

/** Python 2: `execfile(name)` */
function* execfile(args: Arguments, tools: Tools): Run<ScriptValue> {
  const { text } = filesOf(tools).read(readName(only('execfile', args, 1, 3)[0]));
  yield* tools.include(blockOf('execfile', text, tools), false);
  return null;
}

const namesFunction = (name: string, isGlobal: boolean): Callable['call'] => {
  const names = new Names(isGlobal);
  return (args) => {
    only(name, args, 0, 0);
    return names;
  };
};

/** By name; only texts that may read files see them. */
export const FILE_FUNCTIONS: ReadonlyMap<string, Callable> = new Map(
  Object.entries<Callable['call']>({
    open,
    compile,
    exec,
    execfile,
    globals: namesFunction('globals', true),
    locals: namesFunction('locals', false),
  }).map(([name, call]) => [name, { kind: 'callable', name, call }]),
);
