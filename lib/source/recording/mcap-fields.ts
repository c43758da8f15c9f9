// What the fields of protobuf's messages are: how fields become columns.
import { type LeafType, NUMBER_FACTS, type NumberName } from '../../model/state/type.js';
import { KIND, kindOf } from '../../simulation/recording/mcap-channels.js';
import { fieldsOf } from '../../simulation/recording/protobuf.js';
import type { Column } from '../../simulation/recording/row.js';
import { typeOf } from './trk.js';

const REPEATED = 3;
export const [SINT32, SINT64] = [17, 18];

/** The types that fields of numbers have here, by the numbers of their own. */
const TYPES: Readonly<Record<number, NumberName>> = {
  1: 'double',
  2: 'float',
  3: 'long long',
  4: 'unsigned long long',
  5: 'int',
  6: 'unsigned long long',
  7: 'unsigned int',
  8: 'bool',
  13: 'unsigned int',
  14: 'int',
  15: 'int',
  16: 'long long',
  17: 'int',
  18: 'long long',
};

/** A field of a message, by its number there; with fields of its own when it is a message. */
export interface FieldPlan {
  readonly name: string;
  readonly kind: number;
  readonly fields?: ReadonlyMap<number, FieldPlan>;
}

const DEEPEST = 8;
const MOST_FIELDS = 100_000;

/** The fields of a message that are numbers, or messages with such. Throws an Error for bytes that describe no message. */
export function fieldsIn(descriptors: Uint8Array, message: string): ReadonlyMap<number, FieldPlan> {
  const messages = new Map<string, Uint8Array>();
  for (const file of parts(descriptors, 1)) {
    const scope = textIn(file, 2);
    for (const found of parts(file, 4)) collect(messages, found, scope === '' ? '' : `${scope}.`);
  }
  const budget = { fields: MOST_FIELDS };
  const found = messages.get(message);
  if (!found) throw new Error(`its schema has no message ${message}`);
  return plansOf(messages, found, budget, DEEPEST);
}

const parts = (bytes: Uint8Array, number: number): Uint8Array[] =>
  [...fieldsOf(bytes)].filter((found) => found.number === number).map((found) => found.bytes);

const textIn = (bytes: Uint8Array, number: number): string => Buffer.from(parts(bytes, number)[0] ?? []).toString();

const numberIn = (bytes: Uint8Array, number: number): number =>
  Number([...fieldsOf(bytes)].find((found) => found.number === number)?.value ?? 0);

/** Messages by their whole names, also those that stand in others. */
function collect(messages: Map<string, Uint8Array>, message: Uint8Array, scope: string, depth = DEEPEST): void {
  const name = scope + textIn(message, 1);
  messages.set(name, message);
  if (depth > 0) for (const inner of parts(message, 3)) collect(messages, inner, `${name}.`, depth - 1);
}

function plansOf(
  messages: ReadonlyMap<string, Uint8Array>,
  message: Uint8Array,
  budget: { fields: number },
  depth: number,
): Map<number, FieldPlan> {
  const plans = new Map<number, FieldPlan>();
  for (const described of parts(message, 2)) {
    if (--budget.fields < 0) throw new Error(`its schema has more than ${MOST_FIELDS} fields`);
    const [name, kind] = [textIn(described, 1), numberIn(described, 5)];
    if (numberIn(described, 4) === REPEATED) continue;
    const inner = kind === KIND.message ? messages.get(textIn(described, 6).replace(/^\./, '')) : undefined;
    const plan = { name, kind, ...(inner && depth > 0 && { fields: plansOf(messages, inner, budget, depth - 1) }) };
    if (plan.fields || TYPES[kind]) plans.set(numberIn(described, 3), plan);
  }
  return plans;
}

/** A column of a field, and its place among all if that is known. */
export type Noted = Pick<Column, 'name' | 'units' | 'type'> & { readonly index: number | undefined };

/**
 * @param note as varwire writes it. One that does not fit the field is passed over.
 * @param kindFor the kind of field that a type is written as.
 */
export function columnOf(path: string, kind: number, note: string | undefined, kindFor = kindOf): Noted {
  const type: LeafType = { kind: 'number', name: TYPES[kind] as NumberName };
  const plain = { name: path, units: '--', type, index: undefined };
  if (note === undefined) return plain;
  try {
    const { index, name, units, code, bytes } = JSON.parse(note);
    const noted = typeOf(code, bytes);
    const isText = typeof name === 'string' && typeof units === 'string';
    if (!isText || !Number.isSafeInteger(index) || !noted || kindFor(noted) !== kind) return plain;
    return { name, units, type: noted, index };
  } catch {
    return plain;
  }
}

export const isFloating = (type: LeafType): boolean =>
  type.kind === 'number' && NUMBER_FACTS[type.name].family === 'floating';
