// Expressions that make and read tuples, lists, sets and dictionaries.
import { invalidArgument, invalidOperation } from '../service/procedure.js';
import {
  BOOL,
  DOUBLE,
  describeType,
  dictionaryOf,
  FLOAT,
  isSameType,
  type KrpcType,
  type KrpcValue,
  listOf,
  SINT32,
  setOf,
  TypeCode,
  tupleOf,
} from '../values/type.js';
import { converted, isNumber, isSameValue } from './arithmetic.js';
import {
  applied,
  CHARACTERS_PER_STEP,
  constantValue,
  type Evaluation,
  type Node,
  nodeOf,
  requireFunction,
  requireValue,
} from './node.js';

const all = (nodes: readonly Node[], evaluation: Evaluation): KrpcValue[] =>
  nodes.map((node) => node.evaluate(evaluation));

/** The type of the items of equal types. Throws a ServiceError when there is none. */
function commonType(nodes: readonly Node[]): KrpcType {
  const [first] = nodes;
  if (!first) throw invalidArgument('a collection needs an item, which says what its type is');
  for (const node of nodes) {
    requireValue(node);
    if (!isSameType(node.type, first.type)) throw invalidOperation('the items of a collection have one type');
  }
  return first.type;
}

export function createTuple(elements: readonly Node[]): Node {
  if (elements.length === 0) throw invalidArgument('a tuple needs an item');
  for (const element of elements) requireValue(element);
  return nodeOf(tupleOf(...elements.map(({ type }) => type)), elements, (evaluation) => all(elements, evaluation));
}

export const createList = (values: readonly Node[]): Node =>
  nodeOf(listOf(commonType(values)), values, (evaluation) => all(values, evaluation));

export const createSet = (values: readonly Node[]): Node =>
  nodeOf(setOf(commonType(values)), values, (evaluation) => new Set(all(values, evaluation)));

export function createDictionary(keys: readonly Node[], values: readonly Node[]): Node {
  if (keys.length !== values.length) throw invalidOperation('a dictionary needs as many keys as values');
  const type = dictionaryOf(commonType(keys), commonType(values));
  return nodeOf(type, [...keys, ...values], (evaluation) => {
    const held = all(values, evaluation);
    return new Map(all(keys, evaluation).map((key, index) => [key, held[index] as KrpcValue]));
  });
}

/** The type of the items of a collection; of a dictionary that of its keys. */
function itemTypeOf({ type, asFunction }: Node): KrpcType {
  const isCollection = type.code === TypeCode.list || type.code === TypeCode.set || type.code === TypeCode.dictionary;
  const item = type.types?.[0];
  if (!asFunction && isCollection && item) return item;
  throw invalidOperation(`a collection is needed here, not ${asFunction ? 'a function' : describeType(type)}`);
}

/** The items of a collection; each counts as a step. */
function itemsIn(node: Node, evaluation: Evaluation): KrpcValue[] {
  const value = node.evaluate(evaluation);
  if (value === null) throw invalidOperation('the collection is null');
  const items = value instanceof Map ? [...value.keys()] : Array.from(value as Iterable<KrpcValue>);
  for (let index = 0; index < items.length; index++) evaluation.step();
  return items;
}

export const toList = (arg: Node): Node =>
  nodeOf(listOf(itemTypeOf(arg)), [arg], (evaluation) => itemsIn(arg, evaluation));
export const toSet = (arg: Node): Node =>
  nodeOf(setOf(itemTypeOf(arg)), [arg], (evaluation) => new Set(itemsIn(arg, evaluation)));

/** An element of a tuple, whose index is a constant, or of a list or dictionary. */
export function get(arg: Node, index: Node): Node {
  requireValue(arg);
  requireValue(index);
  const { code, types = [] } = arg.type;
  if (code === TypeCode.tuple) return tupleItem(arg, index);
  if (code === TypeCode.list && isSameType(index.type, SINT32)) {
    return nodeOf(types[0] as KrpcType, [arg, index], (evaluation) =>
      found((arg.evaluate(evaluation) as readonly KrpcValue[])[index.evaluate(evaluation) as number], 'index'),
    );
  }
  if (code === TypeCode.dictionary && isSameType(index.type, types[0] as KrpcType)) {
    return nodeOf(types[1] as KrpcType, [arg, index], (evaluation) =>
      found((arg.evaluate(evaluation) as ReadonlyMap<KrpcValue, KrpcValue>).get(index.evaluate(evaluation)), 'key'),
    );
  }
  throw invalidOperation(`a ${describeType(arg.type)} has no element by ${describeType(index.type)}`);
}

function tupleItem(arg: Node, index: Node): Node {
  if (!index.isConstant) throw invalidArgument('the index into a tuple is a constant');
  if (!isSameType(index.type, SINT32))
    throw invalidArgument(`the index into a tuple is a sint32, not a ${describeType(index.type)}`);
  const place = constantValue(index) as number;
  const type = arg.type.types?.[place];
  if (!type) throw invalidArgument(`a ${describeType(arg.type)} has no item ${place}`);
  return nodeOf(
    type,
    [arg, index],
    (evaluation) => (arg.evaluate(evaluation) as readonly KrpcValue[])[place] as KrpcValue,
  );
}

function found(value: KrpcValue | undefined, what: string): KrpcValue {
  if (value === undefined) throw invalidOperation(`the collection has nothing at this ${what}`);
  return value;
}

export function count(arg: Node): Node {
  itemTypeOf(arg);
  return nodeOf(SINT32, [arg], (evaluation) => itemsIn(arg, evaluation).length);
}

type Numbers = readonly (number | bigint)[];

const add = (type: KrpcType, numbers: Numbers): number | bigint => {
  const isWhole = type.code !== TypeCode.double && type.code !== TypeCode.float;
  if (isWhole)
    return converted(
      type,
      numbers.reduce<bigint>((sum, value) => sum + BigInt(value), 0n),
    );
  return converted(
    type,
    numbers.reduce<number>((sum, value) => sum + Number(value), 0),
  );
};

const best = (numbers: Numbers, isBetter: (one: number | bigint, other: number | bigint) => boolean): number | bigint =>
  some(numbers).reduce((one, other) => (isBetter(other, one) ? other : one));

function some(numbers: Numbers): Numbers {
  if (numbers.length === 0) throw invalidOperation('the collection is empty');
  return numbers;
}

const averageType = (type: KrpcType): KrpcType => (type.code === TypeCode.float ? FLOAT : DOUBLE);

interface Summary {
  readonly type: (item: KrpcType) => KrpcType;
  readonly of: (type: KrpcType, numbers: Numbers) => number | bigint;
}

const SUMMARIES: Readonly<Record<string, Summary>> = {
  Sum: { type: (item) => item, of: add },
  Max: { type: (item) => item, of: (_, numbers) => best(numbers, (one, other) => one > other) },
  Min: { type: (item) => item, of: (_, numbers) => best(numbers, (one, other) => one < other) },
  Average: {
    type: averageType,
    of: (type, numbers) =>
      converted(
        averageType(type),
        some(numbers).reduce<number>((sum, value) => sum + Number(value), 0) / numbers.length,
      ),
  },
};

export const summaryOperators = Object.keys(SUMMARIES);

export function summary(operator: string, arg: Node): Node {
  const item = itemTypeOf(arg);
  if (!isNumber(item)) throw invalidOperation(`${operator} needs numbers, not ${describeType(item)}`);
  const { type, of } = SUMMARIES[operator] as Summary;
  return nodeOf(type(item), [arg], (evaluation) => of(item, itemsIn(arg, evaluation) as Numbers));
}

export function select(arg: Node, func: Node): Node {
  const { gives } = requireFunction(func, [itemTypeOf(arg)]);
  return nodeOf(listOf(gives), [arg, func], (evaluation) =>
    itemsIn(arg, evaluation).map((item) => applied(func, evaluation, [item])),
  );
}

export function where(arg: Node, func: Node): Node {
  const item = itemTypeOf(arg);
  requireFunction(func, [item], BOOL);
  return nodeOf(listOf(item), [arg, func], (evaluation) =>
    itemsIn(arg, evaluation).filter((one) => applied(func, evaluation, [one])),
  );
}

export function contains(arg: Node, value: Node): Node {
  const item = itemTypeOf(arg);
  requireValue(value);
  if (!isSameType(item, value.type))
    throw invalidOperation(`a ${describeType(arg.type)} holds no ${describeType(value.type)}`);
  return nodeOf(BOOL, [arg, value], (evaluation) => {
    const wanted = value.evaluate(evaluation);
    return itemsIn(arg, evaluation).some((one) => isSameValue(one, wanted, evaluation));
  });
}

export function aggregate(arg: Node, func: Node): Node {
  const item = itemTypeOf(arg);
  requireFunction(func, [item, item], item);
  return nodeOf(item, [arg, func], (evaluation) => {
    const [first, ...others] = itemsIn(arg, evaluation);
    if (first === undefined) throw invalidOperation('the collection is empty');
    return others.reduce((sum, one) => applied(func, evaluation, [sum, one]), first);
  });
}

export function aggregateWithSeed(arg: Node, seed: Node, func: Node): Node {
  requireValue(seed);
  requireFunction(func, [seed.type, itemTypeOf(arg)], seed.type);
  return nodeOf(seed.type, [arg, seed, func], (evaluation) =>
    itemsIn(arg, evaluation).reduce((sum, one) => applied(func, evaluation, [sum, one]), seed.evaluate(evaluation)),
  );
}

export function concat(one: Node, other: Node): Node {
  const item = itemTypeOf(one);
  if (!isSameType(item, itemTypeOf(other)))
    throw invalidOperation('two sequences with items of two types do not concatenate');
  return nodeOf(listOf(item), [one, other], (evaluation) => [
    ...itemsIn(one, evaluation),
    ...itemsIn(other, evaluation),
  ]);
}

/** Single values: comparing collections would make texts of them. */
const isOrdered = (type: KrpcType): boolean =>
  isNumber(type) || type.code === TypeCode.bool || type.code === TypeCode.string || type.code === TypeCode.enumeration;

export function orderBy(arg: Node, key: Node): Node {
  const item = itemTypeOf(arg);
  requireFunction(key, [item]);
  if (!isOrdered(key.type))
    throw invalidOperation(`OrderBy needs keys that have an order, not ${describeType(key.type)}`);
  return nodeOf(listOf(item), [arg, key], (evaluation) => {
    const keyed = itemsIn(arg, evaluation).map((one) => ({ one, key: applied(key, evaluation, [one]) as number }));
    const characters = keyed.reduce(
      (sum, { key: text }) => sum + (typeof text === 'string' ? (text as string).length : 0),
      0,
    );
    evaluation.step((characters * Math.log2(keyed.length + 1)) / CHARACTERS_PER_STEP);
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one);
  });
}

export function quantified(operator: 'All' | 'Any', arg: Node, predicate: Node): Node {
  requireFunction(predicate, [itemTypeOf(arg)], BOOL);
  return nodeOf(BOOL, [arg, predicate], (evaluation) => {
    const holds = (one: KrpcValue): boolean => applied(predicate, evaluation, [one]) === true;
    const items = itemsIn(arg, evaluation);
    return operator === 'All' ? items.every(holds) : items.some(holds);
  });
}
