// Bevy's paths to a part of a component: `.translation.x`, `.0`, `#1`, `[3]`.
import { findMember, type Type } from '../../model/state/type.js';
import { componentError } from './brp-error.js';
import { isNewtype } from './value.js';

type Access =
  | { readonly kind: 'name'; readonly name: string }
  /** `.0` of a tuple, `#0` of a structure's members, `[0]` of a list. */
  | { readonly kind: 'tuple' | 'position' | 'element'; readonly index: number };

const ACCESS = /([.#[\]]?)([^.#[\]]*)/y;
const NUMBER = /^\d{1,9}$/;
const MOST_ACCESSES = 64;
const LONGEST_SHOWN = 100;

const refusal = (path: string, offset: number, what: string) => {
  const shown = path.length > LONGEST_SHOWN ? `${path.slice(0, LONGEST_SHOWN)}…` : path;
  return componentError(`Encountered an error at offset ${offset} while parsing \`${shown}\`: ${what}`);
};

/** Throws an RpcError. */
export function parseReflectPath(path: string): Access[] {
  const accesses: Access[] = [];
  for (let at = 0; at < path.length; ) {
    ACCESS.lastIndex = at;
    const [all = '', sign = '', word = ''] = ACCESS.exec(path) ?? [];
    if (sign === '' && accesses.length > 0) throw refusal(path, at, 'expected `.`, `#` or `[`');
    if (accesses.length === MOST_ACCESSES) throw refusal(path, at, `a path has at most ${MOST_ACCESSES} accesses`);
    accesses.push(readAccess(path, at, sign || '.', word));
    at += all.length;
    if (sign === '[' && path[at++] !== ']')
      throw refusal(path, Math.min(at, path.length), 'a `[` was not closed by a `]`');
  }
  return accesses;
}

function readAccess(path: string, at: number, sign: string, word: string): Access {
  if (sign === ']') throw refusal(path, at, 'a `]` was found before an opening `[`');
  if (word === '') throw refusal(path, at + 1, `expected an identifier after \`${sign}\``);
  const index = NUMBER.test(word) ? Number(word) : undefined;
  if (sign === '.') return index === undefined ? { kind: 'name', name: word } : { kind: 'tuple', index };
  if (index === undefined) throw refusal(path, at, `failed to parse \`${word.slice(0, 40)}\` as an integer`);
  return { kind: sign === '#' ? 'position' : 'element', index };
}

const AXES = ['x', 'y', 'z'];

/** What follows a component's path to reach the part. Throws an RpcError. */
export function suffixOf(type: Type, accesses: readonly Access[]): string {
  let [suffix, at] = ['', type];
  const [first] = accesses;
  const isInner = isNewtype(type) && first?.kind === 'tuple' && first.index === 0;
  for (const access of isInner ? accesses.slice(1) : accesses) {
    const step = stepInto(at, access);
    suffix += step.suffix;
    at = step.type;
  }
  return suffix;
}

interface Step {
  readonly suffix: string;
  readonly type: Type;
}

function stepInto(type: Type, access: Access): Step {
  if (access.kind === 'element') return elementOf(type, access.index);
  if (access.kind === 'name') return memberOf(type, access.name);
  const { index } = access;
  if (access.kind === 'tuple' && !isPair(type)) return memberOf(type, String(index));
  const member = type.kind === 'struct' ? type.members[index] : undefined;
  if (!member) throw noField(type, access.kind === 'tuple' ? String(index) : `#${index}`);
  return { suffix: `.${member.name}`, type: member.type };
}

const isPair = (type: Type): boolean => type.kind === 'struct' && type.isPair === true;

function memberOf(type: Type, name: string): Step {
  const axis = AXES.indexOf(name);
  // Vectors of Bevy's world are structures to a path, though their values are lists.
  if (type.kind === 'array' && type.length <= AXES.length && axis >= 0 && axis < type.length) {
    return { suffix: `[${axis}]`, type: type.element };
  }
  const member = type.kind === 'struct' ? findMember(type, name) : undefined;
  if (!member) throw noField(type, name);
  return { suffix: `.${member.name}`, type: member.type };
}

function elementOf(type: Type, index: number): Step {
  if (type.kind === 'pointer') return { suffix: `[${index}]`, type: type.target };
  if (type.kind !== 'array' && type.kind !== 'sequence') {
    throw componentError(`The ${kindOf(type)} accessed has no element [${index}]`);
  }
  const length = type.kind === 'array' ? type.length : type.capacity;
  if (index >= length) throw componentError(`The ${kindOf(type)} accessed doesn't have index \`${index}\``);
  return { suffix: `[${index}]`, type: type.element };
}

const noField = (type: Type, name: string) =>
  componentError(`The ${kindOf(type)} accessed doesn't have a \`${name.slice(0, LONGEST_SHOWN)}\` field`);

function kindOf(type: Type): string {
  if (type.kind === 'struct') return 'struct';
  if (type.kind === 'array') return 'array';
  if (type.kind === 'sequence') return 'list';
  return type.kind === 'enumeration' ? 'enum' : 'value';
}
