// Commands that declare variables while the simulation runs. Trick: memorymanager_c_intf.h
import { readDeclaration, shapeOfDeclaration } from '../../../model/state/named-type.js';
import type { Value } from '../../../model/state/read.js';
import { strideOf, type Type } from '../../../model/state/type.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import type { Request } from '../../../source/source.js';
import { type Run, ScriptError, type ScriptValue } from '../../python/index.js';
import { MemoryAddress, VariableAddress } from './address.js';
import { type Command, type CommandContext, command } from './command.js';

/** Bytes that the server keeps for each piece of memory besides its values. */
const OVERHEAD_BYTES = 256;

const declaration = { name: 'declaration', type: 'text' } as const;
const type = { name: 'enh_type_spec', type: 'text' } as const;
const elements = { name: 'e_elems', type: 'integer' } as const;
const name = { name: 'var_name', type: 'text' } as const;
const address = { name: 'address', type: 'value' } as const;

/** Memory to make: its elements, and its single values. */
interface Wanted {
  readonly count: number;
  readonly leaves: number;
  readonly leafBytes: number;
}

const bytesOf = ({ leaves, leafBytes }: Wanted): number => OVERHEAD_BYTES + Math.max(0, leaves * leafBytes);
const NOTHING: Wanted = { count: 0, leaves: 0, leafBytes: 0 };

const product = (extents: readonly number[]): number => extents.reduce((all, extent) => all * extent, 1);

/** How many single values a type has, and the size of each. */
function leavesOf(type: Type): { readonly leaves: number; readonly leafBytes: number } {
  if (type.kind !== 'array' || type.isContainer) return { leaves: 1, leafBytes: strideOf(type) };
  const { leaves, leafBytes } = leavesOf(type.element);
  return { leaves: type.length * leaves, leafBytes };
}

/** Returns the address of new memory, or None when none was made. */
export function declare(context: CommandContext, text: string, elementCount?: bigint): Run<ScriptValue> {
  const count = elementCount === undefined ? undefined : Number(elementCount);
  const read = readDeclaration(text);
  const extents = [...(count === undefined ? [] : [count]), ...(read?.extents ?? [])];
  const shape = read && shapeOfDeclaration(context.session.catalog, { ...read, extents });
  const request: Request = { kind: 'declare', declaration: text, ...(count !== undefined && { count }) };
  // Without a shape the simulation refuses it, and says why.
  if (!shape) return made(context, request, NOTHING);
  const { leaves, leafBytes } = leavesOf(shape.element);
  return made(context, request, { count: shape.count, leaves: shape.count * leaves, leafBytes });
}

function* made(context: CommandContext, request: Request, wanted: Wanted): Run<ScriptValue> {
  const { memory } = context.session;
  const bytes = bytesOf(wanted);
  try {
    memory.take(bytes);
  } catch (error) {
    if (!(error instanceof OverBoundError)) throw error;
    context.session.publish(error.message, 'error');
    return null;
  }
  const at = yield* changed(context, request);
  if (typeof at !== 'number') {
    memory.giveBack(bytes);
    return null;
  }
  memory.isAt(at, bytes);
  return new MemoryAddress(at, wanted.count, wanted.leafBytes);
}

/** The simulation's answer. A refusal goes to the log and the message port, as in Trick, and gives undefined. */
function* changed(context: CommandContext, request: Request): Run<Value | undefined> {
  const answer = yield* context.ask(request);
  if ('value' in answer) return answer.value;
  context.session.publish(answer.refusal, 'error');
  return undefined;
}

/** What an argument refers to: the memory at an address, or a variable. */
function meant(command: string, value: ScriptValue): string | number {
  if (typeof value === 'string') return value;
  if (value instanceof MemoryAddress) return value.offsetBytes;
  throw new ScriptError('TypeError', `${command}() takes what TMM_declare_var_s has returned`);
}

/** Returns the new address, or None when nothing was resized. */
export function* resize(
  command: string,
  context: CommandContext,
  value: ScriptValue,
  extents: readonly number[],
): Run<ScriptValue> {
  const { memory, catalog } = context.session;
  const what = meant(command, value);
  const known = typeof what === 'string' ? catalog.find(what) : undefined;
  const leafBytes = value instanceof MemoryAddress ? value.leafBytes : known ? leavesOf(known.type).leafBytes : 0;
  const old = value instanceof MemoryAddress ? value.offsetBytes : known?.offsetBytes;
  const wanted = { count: extents[0] ?? 0, leaves: product(extents), leafBytes };
  const resized = yield* made(context, { kind: 'resize', what, extents }, wanted);
  if (resized !== null && old !== undefined) memory.isGone(old);
  return resized;
}

function* remove(context: CommandContext, what: string | number): Run<ScriptValue> {
  const at = yield* changed(context, { kind: 'delete-memory', what });
  if (typeof at === 'number') context.session.memory.isGone(at);
  return null;
}

function* clear(context: CommandContext, what: string | number): Run<ScriptValue> {
  yield* changed(context, { kind: 'clear-memory', what });
  return null;
}

/** A command that takes the name of a declared variable, and the same that takes an address. */
const byNameAndAddress = (
  stem: string,
  about: string,
  run: (context: CommandContext, what: string | number) => Run<ScriptValue>,
): readonly Command[] => [
  command(`${stem}_n`, [name], `${about} a declared variable.`, (context, [what]) => run(context, what)),
  command(`${stem}_a`, [address], `${about} declared memory.`, (context, [what]) =>
    run(context, meant(`${stem}_a`, what)),
  ),
];

export const memoryCommands: readonly Command[] = [
  command(
    'TMM_declare_var_s',
    [declaration],
    'Declares a variable, such as "double h[2][3]" or "Sensor s"; without a name, memory for a pointer. Returns its address.',
    (context, [text]) => declare(context, text),
  ),
  command(
    'TMM_declare_var_1d',
    [type, elements],
    'Declares a list of elements of a type; returns its address.',
    (context, [text, count]) => declare(context, text, count),
  ),
  command(
    'alloc_type',
    [elements, type],
    'The same with its parameters in the other order.',
    (context, [count, text]) => declare(context, text, count),
  ),
  command(
    'TMM_declare_ext_var_s',
    [address, declaration],
    'Gives declared memory without a name the name of a declaration that fits it.',
    (context, [what, text]) => nameMemory('TMM_declare_ext_var_s', context, what, text),
  ),
  command(
    'TMM_resize_array_1d_n',
    [name, { name: 'num', type: 'integer' }],
    'Gives a declared list another length; the values that both have stay. Returns its new address.',
    (context, [what, length]) => resize('TMM_resize_array_1d_n', context, what, [Number(length)]),
  ),
  command(
    'TMM_resize_array_1d_a',
    [address, { name: 'num', type: 'integer' }],
    'The same by address.',
    (context, [what, length]) => resize('TMM_resize_array_1d_a', context, what, [Number(length)]),
  ),
  ...byNameAndAddress('TMM_clear_var', 'Sets to zero', clear),
  ...byNameAndAddress('TMM_delete_var', 'Deletes', remove),
  ...byNameAndAddress('TMM_delete_extern_var', 'Deletes', remove),
  command(
    'TMM_var_exists',
    [name],
    'Returns 1 for a name of an object or a declared variable, otherwise 0.',
    ({ session }, [what]) => BigInt(/^\w+$/.test(what) && session.catalog.find(what) !== undefined),
    { reads: (_context, [what]) => ({ paths: [what], part: 'head' }) },
  ),
  command(
    'TMM_is_alloced',
    [address],
    'Returns 1 for memory that was declared, or the name of a variable, otherwise 0.',
    ({ session }, [what]) => {
      if (what instanceof MemoryAddress) return BigInt(session.memory.has(what.offsetBytes));
      return BigInt(typeof what === 'string' && session.catalog.find(what) !== undefined);
    },
  ),
  command(
    'get_address',
    [{ name: 'name', type: 'text' }],
    'Returns the address of a variable, which can be assigned to a pointer.',
    (context, [path]) => {
      const variable = context.session.catalog.find(path);
      if (!variable) throw new ScriptError('AttributeError', context.session.catalog.explain(path));
      context.allocate(path.length);
      return new VariableAddress(variable.path);
    },
  ),
  command('get_size', [address], 'Returns the number of elements at an address.', (_context, [what]) =>
    what instanceof MemoryAddress ? BigInt(what.count) : 0n,
  ),
];

/** Returns the same address, or None when the declaration does not fit. */
export function* nameMemory(
  command: string,
  context: CommandContext,
  what: ScriptValue,
  text: string,
): Run<ScriptValue> {
  const at = meant(command, what);
  if (typeof at === 'string') throw new ScriptError('TypeError', `${command}() takes an address`);
  const named = yield* changed(context, { kind: 'name-memory', address: at, declaration: text });
  return typeof named === 'number' ? what : null;
}
