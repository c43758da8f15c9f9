// Commands that declare variables by the number of their type and by lists of dimensions. Trick: memorymanager_c_intf.h
import { readDeclaration } from '../../../model/state/named-type.js';
import { NUMBER_FACTS, type NumberName } from '../../../model/state/type.js';
import { ListValue, type Run, ScriptError, type ScriptValue, TupleValue, typeName } from '../../python/index.js';
import { type Command, command } from './command.js';
import { declare, nameMemory, resize } from './memory-commands.js';

const MOST_DIMENSIONS = 8;

const type = { name: 'type', type: 'integer' } as const;
const className = { name: 'class_name', type: 'text' } as const;
const stars = { name: 'n_stars', type: 'integer' } as const;
const name = { name: 'var_name', type: 'text' } as const;
const address = { name: 'address', type: 'value' } as const;
const dimensionCount = { name: 'n_cdims', type: 'integer' } as const;
const dimensions = { name: 'cdims', type: 'value', standard: null } as const;

/** A list of whole numbers, as many as announced. Throws a ScriptError for anything else. */
function extentsOf(called: string, count: bigint, given: ScriptValue): readonly number[] {
  const items =
    given instanceof ListValue || given instanceof TupleValue ? given.items : given === null ? [] : undefined;
  if (!items) throw new ScriptError('TypeError', `${called}() takes its dimensions in a list, not ${typeName(given)}`);
  if (BigInt(items.length) !== count || items.length > MOST_DIMENSIONS)
    throw new ScriptError('ValueError', `${called}() announces ${count} dimensions, and the list has ${items.length}`);
  return items.map((item) => {
    if (typeof item === 'bigint') return Number(item);
    throw new ScriptError('TypeError', `${called}() takes whole numbers as dimensions, not ${typeName(item)}`);
  });
}

/** The name of a type in C. Throws a ScriptError for a number that no variable's type has. */
function cTypeName(called: string, code: bigint, given: string): string {
  if (code === TYPE_CODES.ENUMERATED || code === TYPE_CODES.STRUCTURED) return given;
  if (code === TYPE_CODES.STRING) return 'std::string';
  const known = Object.keys(NUMBER_FACTS).find((number) => BigInt(NUMBER_FACTS[number as NumberName].code) === code);
  if (known) return known;
  throw new ScriptError('ValueError', `${called}() knows no type ${code} to declare`);
}

const TYPE_CODES = { STRING: 3n, ENUMERATED: 21n, STRUCTURED: 22n };

/** The declaration of parts, as C spells it: `double * h[2][3]`. */
const spelled = (
  called: string,
  parts: readonly [bigint, string, bigint, string],
  extents: readonly number[],
): string => {
  const [code, given, starCount, variable] = parts;
  if (starCount < 0n || starCount > BigInt(MOST_DIMENSIONS))
    throw new ScriptError('ValueError', `${called}() takes up to ${MOST_DIMENSIONS} stars, not ${starCount}`);
  const brackets = extents.map((extent) => `[${extent}]`).join('');
  return `${cTypeName(called, code, given)} ${'*'.repeat(Number(starCount))}${variable}${brackets}`;
};

/**
 * Turns `double h` into a list of three, `double h[3]`. Other text is left as it is, so that the simulation refuses it.
 */
function asList(text: string, count: bigint): string {
  const read = readDeclaration(text);
  if (!read) return text;
  const brackets = [Number(count), ...read.extents].map((extent) => `[${extent}]`).join('');
  return `${read.typeName} ${'*'.repeat(read.stars)}${read.name ?? ''}${brackets}`;
}

const resizing = (['n', 'a'] as const).map((by): Command => {
  const called = `TMM_resize_array_${by}`;
  return command(
    called,
    [by === 'n' ? name : address, dimensionCount, { name: 'cdims', type: 'value' }],
    by === 'n'
      ? 'Gives a declared list of lists other lengths; the values that both have stay. Returns its new address.'
      : 'The same by address.',
    (context, [what, count, given]): Run<ScriptValue> => resize(called, context, what, extentsOf(called, count, given)),
  );
});

export const declaringCommands: readonly Command[] = [
  command(
    'TMM_declare_var',
    [type, className, stars, name, dimensionCount, dimensions],
    'Declares a variable by the number of its type, such as trick.TRICK_DOUBLE, and its dimensions in a list; returns its address.',
    (context, [code, given, starCount, variable, count, lengths]) => {
      const extents = extentsOf('TMM_declare_var', count, lengths);
      return declare(context, spelled('TMM_declare_var', [code, given, starCount, variable], extents));
    },
  ),
  command(
    'TMM_declare_ext_var',
    [address, type, className, stars, name, dimensionCount, dimensions],
    'Gives declared memory without a name the name of such a variable that fits it.',
    (context, [what, code, given, starCount, variable, count, lengths]) => {
      const extents = extentsOf('TMM_declare_ext_var', count, lengths);
      const text = spelled('TMM_declare_ext_var', [code, given, starCount, variable], extents);
      return nameMemory('TMM_declare_ext_var', context, what, text);
    },
  ),
  command(
    'TMM_declare_ext_var_1d',
    [address, { name: 'elem_decl', type: 'text' }, { name: 'e_elems', type: 'integer' }],
    'The same for a list of elements that a declaration declares.',
    (context, [what, text, count]) => nameMemory('TMM_declare_ext_var_1d', context, what, asList(text, count)),
  ),
  ...resizing,
  command(
    'TMM_strdup',
    [{ name: 'str', type: 'text' }],
    'Returns the text, which can be assigned to a pointer to characters.',
    (_context, [text]) => text,
  ),
];
