// The classes Expression and Type of the service KRPC.
import {
  invalidArgument,
  invalidOperation,
  nullArgument,
  type Parameter,
  type Procedure,
  type ValueInFrames,
} from '../service/procedure.js';
import { bytesIn } from '../values/size.js';
import {
  BOOL,
  classOf,
  DOUBLE,
  dictionaryOf,
  FLOAT,
  type KrpcType,
  type KrpcValue,
  listOf,
  type NamedCall,
  PROCEDURE_CALL,
  type RemoteObject,
  SINT32,
  STRING,
  setOf,
} from '../values/type.js';
import {
  arithmetic,
  arithmeticOperators,
  cast,
  equality,
  logic,
  logicOperators,
  not,
  order,
  orderOperators,
  power,
  shift,
} from './arithmetic.js';
import * as collections from './collections.js';
import {
  applied,
  constant,
  type ExpressionObject,
  type Node,
  nodeOf,
  notYet,
  type ParameterNode,
  parameter,
  requireValue,
} from './node.js';

export const EXPRESSION = classOf('KRPC', 'Expression');
const TYPE = classOf('KRPC', 'Type');

interface TypeObject extends RemoteObject {
  readonly type: KrpcType;
}

let lastExpression = 0;

/** Bytes of a part of an expression, and of each part that it is made of. */
const NODE_BYTES = 512;
/** A value of the latest frame, which a call in an expression keeps. */
const VALUE_BYTES = 16;

const objectOf = (node: Node, keptBytes: number): ExpressionObject => ({ key: `${++lastExpression}`, node, keptBytes });

/** What an expression takes that is made of these arguments. */
const bytesOf = (given: readonly KrpcValue[]): number =>
  given.reduce<number>((sum, value) => sum + sizeOf(value), NODE_BYTES);

/** Each item of a collection may become a part of its own. */
function sizeOf(value: KrpcValue): number {
  const isCollection = Array.isArray(value) || value instanceof Set || value instanceof Map;
  return bytesIn(value) + (isCollection ? NODE_BYTES * [...(value as Iterable<unknown>)].length : 0);
}

/** The node of an argument or of an item in one. Throws a ServiceError for null. */
export function nodeIn(value: KrpcValue | undefined): Node {
  if (value === null || value === undefined) throw nullArgument('expression');
  return (value as unknown as ExpressionObject).node;
}
const nodesIn = (value: KrpcValue | undefined): Node[] => Array.from(value as Iterable<KrpcValue>, nodeIn);
const typeIn = (value: KrpcValue | undefined): KrpcType => (value as unknown as TypeObject).type;

const expressions = (...names: readonly string[]): Parameter[] => names.map((name) => ({ name, type: EXPRESSION }));

/** A static method of Expression that makes one of its arguments. */
const method = (
  name: string,
  about: string,
  parameters: readonly Parameter[],
  make: (given: readonly KrpcValue[]) => Node,
): Procedure => ({
  name: `Expression_static_${name}`,
  about,
  parameters,
  returns: EXPRESSION,
  call: (_, given) => objectOf(make(given), bytesOf(given)),
});

const CONSTANTS = (
  [
    ['Double', DOUBLE, 'a double'],
    ['Float', FLOAT, 'a float'],
    ['Int', SINT32, 'an integer'],
    ['Bool', BOOL, 'a truth value'],
    ['String', STRING, 'a text'],
  ] as const
).map(([name, type, what]) =>
  method(`Constant${name}`, `A constant: ${what}.`, [{ name: 'value', type }], ([value]) =>
    constant(type, value as KrpcValue),
  ),
);

/** Names and sentences of the operators with two operands. */
const pair = (name: string, about: string, make: (one: Node, other: Node) => Node): Procedure =>
  method(name, about, expressions('arg0', 'arg1'), ([one, other]) => make(nodeIn(one), nodeIn(other)));

const OPERATORS: readonly Procedure[] = [
  pair('Equal', 'Whether two values are equal.', (one, other) => equality('Equal', one, other)),
  pair('NotEqual', 'Whether two values differ.', (one, other) => equality('NotEqual', one, other)),
  ...orderOperators.map((name) =>
    pair(name, `Compares two numbers of one type: ${name}.`, (one, other) => order(name, one, other)),
  ),
  ...logicOperators.map((name) =>
    pair(name, `${name} of two truth values, or of the bits of two integers.`, (one, other) => logic(name, one, other)),
  ),
  method('Not', 'The opposite of a truth value, or of the bits of an integer.', expressions('arg'), ([arg]) =>
    not(nodeIn(arg)),
  ),
  ...arithmeticOperators.map((name) =>
    pair(name, `${name} of two numbers of one type.`, (one, other) => arithmetic(name, one, other)),
  ),
  pair('Power', 'The first number to the power of the second, with the type of the first.', power),
  pair('LeftShift', 'The bits of an integer moved to the left.', (one, other) => shift('LeftShift', one, other)),
  pair('RightShift', 'The bits of an integer moved to the right.', (one, other) => shift('RightShift', one, other)),
  method('Cast', 'A number as another type.', [...expressions('arg'), { name: 'type', type: TYPE }], ([arg, type]) =>
    cast(nodeIn(arg), typeIn(type)),
  ),
];

export function functionOf(parameters: readonly Node[], body: Node): Node {
  requireValue(body);
  const takes = parameters.map((one) => {
    if (one.name === undefined) throw invalidArgument('the parameters of a function are made by Parameter');
    return one as ParameterNode;
  });
  const asFunction = { takes, gives: body.type };
  return nodeOf(body.type, [body], (evaluation) => body.evaluate(evaluation), { isConstant: false, asFunction });
}

export function invoke(fun: Node, given: ReadonlyMap<string, Node>): Node {
  const { asFunction } = fun;
  if (!asFunction) throw invalidOperation('what is invoked is a function');
  const values = asFunction.takes.map(({ name, type }) => {
    const value = given.get(name);
    if (!value) throw invalidArgument(`the argument ${name} is missing`);
    return cast(value, type);
  });
  return nodeOf(asFunction.gives, [fun, ...values], (evaluation) =>
    applied(
      fun,
      evaluation,
      values.map((value) => value.evaluate(evaluation)),
    ),
  );
}

const FUNCTIONS: readonly Procedure[] = [
  method(
    'Parameter',
    'A parameter of a function.',
    [
      { name: 'name', type: STRING },
      { name: 'type', type: TYPE },
    ],
    ([name, type]) => parameter(name as string, typeIn(type)),
  ),
  method(
    'Function',
    'A function.',
    [{ name: 'parameters', type: listOf(EXPRESSION) }, ...expressions('body')],
    ([parameters, body]) => functionOf(nodesIn(parameters), nodeIn(body)),
  ),
  method(
    'Invoke',
    'The value of a function for arguments by name.',
    [...expressions('function'), { name: 'args', type: dictionaryOf(STRING, EXPRESSION) }],
    ([fun, args]) => {
      const given = Array.from(
        args as ReadonlyMap<string, KrpcValue>,
        ([name, value]) => [name, nodeIn(value)] as const,
      );
      return invoke(nodeIn(fun), new Map(given));
    },
  ),
];

const list = (name: string): Parameter => ({ name, type: listOf(EXPRESSION) });

const COLLECTIONS: readonly Procedure[] = [
  method('CreateTuple', 'A tuple.', [list('elements')], ([elements]) => collections.createTuple(nodesIn(elements))),
  method('CreateList', 'A list of values of one type.', [list('values')], ([values]) =>
    collections.createList(nodesIn(values)),
  ),
  method('CreateSet', 'A set of values of one type.', [{ name: 'values', type: setOf(EXPRESSION) }], ([values]) =>
    collections.createSet(nodesIn(values)),
  ),
  method('CreateDictionary', 'A dictionary of keys and values.', [list('keys'), list('values')], ([keys, values]) =>
    collections.createDictionary(nodesIn(keys), nodesIn(values)),
  ),
  method('ToList', 'A collection as a list.', expressions('arg'), ([arg]) => collections.toList(nodeIn(arg))),
  method('ToSet', 'A collection as a set.', expressions('arg'), ([arg]) => collections.toSet(nodeIn(arg))),
  method('Get', 'An element of a tuple, list or dictionary.', expressions('arg', 'index'), ([arg, index]) =>
    collections.get(nodeIn(arg), nodeIn(index)),
  ),
  method('Count', 'How many items a collection has.', expressions('arg'), ([arg]) => collections.count(nodeIn(arg))),
  ...collections.summaryOperators.map((name) =>
    method(name, `${name} of the numbers of a collection.`, expressions('arg'), ([arg]) =>
      collections.summary(name, nodeIn(arg)),
    ),
  ),
  method('Select', 'What a function gives for each item.', expressions('arg', 'func'), ([arg, func]) =>
    collections.select(nodeIn(arg), nodeIn(func)),
  ),
  method('Where', 'The items for which a function is true.', expressions('arg', 'func'), ([arg, func]) =>
    collections.where(nodeIn(arg), nodeIn(func)),
  ),
  method('Contains', 'Whether a value is in a collection.', expressions('arg', 'value'), ([arg, value]) =>
    collections.contains(nodeIn(arg), nodeIn(value)),
  ),
  method('Aggregate', 'Combines all items, two by two, by a function.', expressions('arg', 'func'), ([arg, func]) =>
    collections.aggregate(nodeIn(arg), nodeIn(func)),
  ),
  method(
    'AggregateWithSeed',
    'Combines a first value with all items by a function.',
    expressions('arg', 'seed', 'func'),
    ([arg, seed, func]) => collections.aggregateWithSeed(nodeIn(arg), nodeIn(seed), nodeIn(func)),
  ),
  method('Concat', 'The items of one collection, then those of another.', expressions('arg1', 'arg2'), ([one, other]) =>
    collections.concat(nodeIn(one), nodeIn(other)),
  ),
  method('OrderBy', 'The items in the order of what a function gives.', expressions('arg', 'key'), ([arg, key]) =>
    collections.orderBy(nodeIn(arg), nodeIn(key)),
  ),
  method('All', 'Whether a function is true for all items.', expressions('arg', 'predicate'), ([arg, predicate]) =>
    collections.quantified('All', nodeIn(arg), nodeIn(predicate)),
  ),
  method('Any', 'Whether a function is true for some item.', expressions('arg', 'predicate'), ([arg, predicate]) =>
    collections.quantified('Any', nodeIn(arg), nodeIn(predicate)),
  ),
];

const CALL: Procedure = {
  name: 'Expression_static_Call',
  about: 'What a call gives in each frame.',
  parameters: [{ name: 'call', type: PROCEDURE_CALL }],
  returns: EXPRESSION,
  call: async ({ streams }, [call]) => objectOfCall(await streams.valueOf(call as NamedCall)),
};

function objectOfCall({ type, source }: ValueInFrames): KrpcValue {
  const read: Node['evaluate'] = ({ frame, mayAsk, step }) => {
    const value = source.take(frame, mayAsk);
    if (value === undefined) throw notYet();
    step(source.cost);
    return value;
  };
  const keptBytes = NODE_BYTES + source.keptBytes + VALUE_BYTES * source.valueCount;
  return objectOf(nodeOf(type, [], read, { isConstant: false }), keptBytes);
}

const TYPES = (
  [
    ['Double', DOUBLE],
    ['Float', FLOAT],
    ['Int', SINT32],
    ['Bool', BOOL],
    ['String', STRING],
  ] as const
).map(
  ([name, type]): Procedure => ({
    name: `Type_static_${name}`,
    about: `The type ${name}.`,
    parameters: [],
    returns: TYPE,
    call: () => ({ key: name, type }) as TypeObject,
  }),
);

export const expressionProcedures: readonly Procedure[] = [
  ...CONSTANTS,
  CALL,
  ...OPERATORS,
  ...FUNCTIONS,
  ...COLLECTIONS,
  ...TYPES,
];
