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

/** A static method whose parameters, named in `takes` with blanks between, are expressions. */
const combined = (name: string, about: string, takes: string, make: (...nodes: Node[]) => Node): Procedure =>
  method(name, about, expressions(...takes.split(' ')), (given) => make(...given.map(nodeIn)));

const pair = (name: string, about: string, make: (one: Node, other: Node) => Node): Procedure =>
  combined(name, about, 'arg0 arg1', make);

const OPERATORS: readonly Procedure[] = [
  pair('Equal', 'Whether two values are equal.', (one, other) => equality('Equal', one, other)),
  pair('NotEqual', 'Whether two values differ.', (one, other) => equality('NotEqual', one, other)),
  ...orderOperators.map((name) =>
    pair(name, `Compares two numbers of one type: ${name}.`, (one, other) => order(name, one, other)),
  ),
  ...logicOperators.map((name) =>
    pair(name, `${name} of two truth values, or of the bits of two integers.`, (one, other) => logic(name, one, other)),
  ),
  combined('Not', 'The opposite of a truth value, or of the bits of an integer.', 'arg', not),
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
  combined('ToList', 'A collection as a list.', 'arg', collections.toList),
  combined('ToSet', 'A collection as a set.', 'arg', collections.toSet),
  combined('Get', 'An element of a tuple, list or dictionary.', 'arg index', collections.get),
  combined('Count', 'How many items a collection has.', 'arg', collections.count),
  ...collections.summaryOperators.map((name) =>
    combined(name, `${name} of the numbers of a collection.`, 'arg', (arg) => collections.summary(name, arg)),
  ),
  combined('Select', 'What a function gives for each item.', 'arg func', collections.select),
  combined('Where', 'The items for which a function is true.', 'arg func', collections.where),
  combined('Contains', 'Whether a value is in a collection.', 'arg value', collections.contains),
  combined('Aggregate', 'Combines all items, two by two, by a function.', 'arg func', collections.aggregate),
  combined(
    'AggregateWithSeed',
    'Combines a first value with all items by a function.',
    'arg seed func',
    collections.aggregateWithSeed,
  ),
  combined('Concat', 'The items of one collection, then those of another.', 'arg1 arg2', collections.concat),
  combined('OrderBy', 'The items in the order of what a function gives.', 'arg key', collections.orderBy),
  combined('All', 'Whether a function is true for all items.', 'arg predicate', (arg, predicate) =>
    collections.quantified('All', arg, predicate),
  ),
  combined('Any', 'Whether a function is true for some item.', 'arg predicate', (arg, predicate) =>
    collections.quantified('Any', arg, predicate),
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
  const read: Node['evaluate'] = ({ frame, step }) => {
    const value = source.take(frame);
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
