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
import {
  applied,
  CHARACTERS_PER_STEP,
  constantValue,
  type Evaluation,
  type Node,
  nodeOf,
  type Operator,
  operator,
  requireFunction,
  requireValue,
} from './node.js';
import { converted, isNumber, isSameValue } from './operators.js';

const valuesOf = (nodes: readonly Node[], evaluation: Evaluation): KrpcValue[] =>
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
  return nodeOf(tupleOf(...elements.map(({ type }) => type)), elements, (evaluation) => valuesOf(elements, evaluation));
}

export const createList = (values: readonly Node[]): Node =>
  nodeOf(listOf(commonType(values)), values, (evaluation) => valuesOf(values, evaluation));

export const createSet = (values: readonly Node[]): Node =>
  nodeOf(setOf(commonType(values)), values, (evaluation) => new Set(valuesOf(values, evaluation)));

export function createDictionary(keys: readonly Node[], values: readonly Node[]): Node {
  if (keys.length !== values.length) throw invalidOperation('a dictionary needs as many keys as values');
  const type = dictionaryOf(commonType(keys), commonType(values));
  return nodeOf(type, [...keys, ...values], (evaluation) => {
    const held = valuesOf(values, evaluation);
    return new Map(valuesOf(keys, evaluation).map((key, index) => [key, held[index] as KrpcValue]));
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

/** What is worked out of the items of the first part, perhaps with the others. */
const ofItems = (
  type: KrpcType,
  parts: readonly [Node, ...Node[]],
  of: (items: KrpcValue[], evaluation: Evaluation) => KrpcValue,
): Node => nodeOf(type, parts, (evaluation) => of(itemsIn(parts[0], evaluation), evaluation));

/** An element of a tuple, whose index is a constant, or of a list or dictionary. */
function get(arg: Node, index: Node): Node {
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

type Numbers = readonly (number | bigint)[];

/** Integers are added as bigint, so that no digit is lost. */
function sum(type: KrpcType, numbers: Numbers): number | bigint {
  const isReal = type.code === TypeCode.double || type.code === TypeCode.float;
  if (isReal)
    return converted(
      type,
      numbers.reduce<number>((total, value) => total + Number(value), 0),
    );
  return converted(
    type,
    numbers.reduce<bigint>((total, value) => total + BigInt(value), 0n),
  );
}

const best = (numbers: Numbers, isBetter: (one: number | bigint, other: number | bigint) => boolean): number | bigint =>
  some(numbers).reduce((one, other) => (isBetter(other, one) ? other : one));

function some(numbers: Numbers): Numbers {
  if (numbers.length === 0) throw invalidOperation('the collection is empty');
  return numbers;
}

/** @param typeOf the type of the summary of items of a type. */
const summary = (
  name: string,
  of: (type: KrpcType, numbers: Numbers) => number | bigint,
  typeOf = (item: KrpcType): KrpcType => item,
): Operator =>
  operator(name, 'arg', `${name} of the numbers of a collection.`, (arg) => {
    const item = itemTypeOf(arg);
    if (!isNumber(item)) throw invalidOperation(`${name} needs numbers, not ${describeType(item)}`);
    return ofItems(typeOf(item), [arg], (items) => of(item, items as unknown as Numbers));
  });

const average = (type: KrpcType, numbers: Numbers): number | bigint =>
  converted(
    type.code === TypeCode.float ? FLOAT : DOUBLE,
    some(numbers).reduce<number>((total, value) => total + Number(value), 0) / numbers.length,
  );

function where(arg: Node, func: Node): Node {
  const item = itemTypeOf(arg);
  requireFunction(func, [item], BOOL);
  return ofItems(listOf(item), [arg, func], (items, evaluation) =>
    items.filter((one) => applied(func, evaluation, [one])),
  );
}

function select(arg: Node, func: Node): Node {
  const { gives } = requireFunction(func, [itemTypeOf(arg)]);
  return ofItems(listOf(gives), [arg, func], (items, evaluation) =>
    items.map((one) => applied(func, evaluation, [one])),
  );
}

function contains(arg: Node, value: Node): Node {
  const item = itemTypeOf(arg);
  requireValue(value);
  if (!isSameType(item, value.type))
    throw invalidOperation(`a ${describeType(arg.type)} holds no ${describeType(value.type)}`);
  return ofItems(BOOL, [arg, value], (items, evaluation) => {
    const wanted = value.evaluate(evaluation);
    return items.some((one) => isSameValue(one, wanted, evaluation));
  });
}

function aggregate(arg: Node, func: Node): Node {
  const item = itemTypeOf(arg);
  requireFunction(func, [item, item], item);
  return ofItems(item, [arg, func], ([first, ...others], evaluation) => {
    if (first === undefined) throw invalidOperation('the collection is empty');
    return others.reduce((total, one) => applied(func, evaluation, [total, one]), first);
  });
}

function fold(arg: Node, seed: Node, func: Node): Node {
  requireValue(seed);
  requireFunction(func, [seed.type, itemTypeOf(arg)], seed.type);
  return ofItems(seed.type, [arg, seed, func], (items, evaluation) =>
    items.reduce((total, one) => applied(func, evaluation, [total, one]), seed.evaluate(evaluation)),
  );
}

function concat(one: Node, other: Node): Node {
  const item = itemTypeOf(one);
  if (!isSameType(item, itemTypeOf(other)))
    throw invalidOperation('two sequences with items of two types do not concatenate');
  return ofItems(listOf(item), [one, other], (items, evaluation) => [...items, ...itemsIn(other, evaluation)]);
}

/** Single values: comparing collections would make texts of them. */
const isOrdered = (type: KrpcType): boolean =>
  isNumber(type) || type.code === TypeCode.bool || type.code === TypeCode.string || type.code === TypeCode.enumeration;

function orderBy(arg: Node, key: Node): Node {
  const item = itemTypeOf(arg);
  requireFunction(key, [item]);
  if (!isOrdered(key.type))
    throw invalidOperation(`OrderBy needs keys that have an order, not ${describeType(key.type)}`);
  return ofItems(listOf(item), [arg, key], (items, evaluation) => {
    const keyed = items.map((one) => ({ one, key: applied(key, evaluation, [one]) as number }));
    const characters = keyed.reduce(
      (sum, { key: text }) => sum + (typeof text === 'string' ? (text as string).length : 0),
      0,
    );
    evaluation.step((characters * Math.log2(keyed.length + 1)) / CHARACTERS_PER_STEP);
    return keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ one }) => one);
  });
}

/** @param of whether it is true, by a function of an item. */
function quantified(
  arg: Node,
  predicate: Node,
  of: (items: readonly KrpcValue[], holds: (one: KrpcValue) => boolean) => boolean,
): Node {
  requireFunction(predicate, [itemTypeOf(arg)], BOOL);
  return ofItems(BOOL, [arg, predicate], (items, evaluation) =>
    of(items, (one) => applied(predicate, evaluation, [one]) === true),
  );
}

const toList = (arg: Node): Node => ofItems(listOf(itemTypeOf(arg)), [arg], (items) => items);
const toSet = (arg: Node): Node => ofItems(setOf(itemTypeOf(arg)), [arg], (items) => new Set(items));
const all = (arg: Node, predicate: Node): Node => quantified(arg, predicate, (items, holds) => items.every(holds));
const any = (arg: Node, predicate: Node): Node => quantified(arg, predicate, (items, holds) => items.some(holds));

function count(arg: Node): Node {
  itemTypeOf(arg);
  return ofItems(SINT32, [arg], ({ length }) => length);
}

export const COLLECTION_OPERATORS: readonly Operator[] = [
  operator('ToList', 'arg', 'A collection as a list.', toList),
  operator('ToSet', 'arg', 'A collection as a set.', toSet),
  operator('Get', 'arg index', 'An element of a tuple, list or dictionary.', get),
  operator('Count', 'arg', 'How many items a collection has.', count),
  summary('Sum', sum),
  summary('Max', (_, numbers) => best(numbers, (one, other) => one > other)),
  summary('Min', (_, numbers) => best(numbers, (one, other) => one < other)),
  summary('Average', average, ({ code }) => (code === TypeCode.float ? FLOAT : DOUBLE)),
  operator('Select', 'arg func', 'What a function gives for each item.', select),
  operator('Where', 'arg func', 'The items for which a function is true.', where),
  operator('Contains', 'arg value', 'Whether a value is in a collection.', contains),
  operator('Aggregate', 'arg func', 'Combines all items, two by two, by a function.', aggregate),
  operator('AggregateWithSeed', 'arg seed func', 'Combines a first value with all items by a function.', fold),
  operator('Concat', 'arg1 arg2', 'The items of one collection, then those of another.', concat),
  operator('OrderBy', 'arg key', 'The items in the order of what a function gives.', orderBy),
  operator('All', 'arg predicate', 'Whether a function is true for all items.', all),
  operator('Any', 'arg predicate', 'Whether a function is true for some item.', any),
];
