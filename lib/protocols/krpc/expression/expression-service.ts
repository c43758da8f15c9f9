// The classes Expression and Type of the service KRPC.
import {
  invalidArgument,
  invalidOperation,
  nullArgument,
  type Procedure,
  procedure,
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
import { COLLECTION_OPERATORS, createDictionary, createList, createSet, createTuple } from './collections.js';
import {
  applied,
  constant,
  type ExpressionObject,
  type Node,
  nodeOf,
  notYet,
  type Operator,
  type ParameterNode,
  parameter,
  requireValue,
} from './node.js';
import { cast, OPERATORS } from './operators.js';

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

/** A static method of Expression that makes one of its arguments. */
const method = (
  name: string,
  about: string,
  takes: Parameters<typeof procedure>[2],
  make: (given: readonly KrpcValue[]) => Node,
): Procedure =>
  procedure(`Expression_static_${name}`, about, takes, {
    returns: EXPRESSION,
    call: (_, given) => objectOf(make(given), bytesOf(given)),
  });

/** The types that have names of their own, and what a constant of each is. */
const NAMED_TYPES = [
  ['Double', DOUBLE, 'a double'],
  ['Float', FLOAT, 'a float'],
  ['Int', SINT32, 'an integer'],
  ['Bool', BOOL, 'a truth value'],
  ['String', STRING, 'a text'],
] as const;

const CONSTANTS = NAMED_TYPES.map(([name, type, what]) =>
  method(`Constant${name}`, `A constant: ${what}.`, { value: type }, ([value]) => constant(type, value as KrpcValue)),
);

const operatorMethod = ({ name, about, takes, make }: Operator): Procedure =>
  method(name, about, Object.fromEntries(takes.map((own) => [own, EXPRESSION])), (given) =>
    make(...(given.map(nodeIn) as [Node, Node, Node])),
  );

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

const EXPRESSIONS = listOf(EXPRESSION);

const CAST = method('Cast', 'A number as another type.', { arg: EXPRESSION, type: TYPE }, ([arg, type]) =>
  cast(nodeIn(arg), typeIn(type)),
);

const FUNCTIONS: readonly Procedure[] = [
  method('Parameter', 'A parameter of a function.', { name: STRING, type: TYPE }, ([name, type]) =>
    parameter(name as string, typeIn(type)),
  ),
  method('Function', 'A function.', { parameters: EXPRESSIONS, body: EXPRESSION }, ([parameters, body]) =>
    functionOf(nodesIn(parameters), nodeIn(body)),
  ),
  method(
    'Invoke',
    'The value of a function for arguments by name.',
    { function: EXPRESSION, args: dictionaryOf(STRING, EXPRESSION) },
    ([fun, args]) => {
      const given = Array.from(args as ReadonlyMap<string, KrpcValue>, ([name, one]) => [name, nodeIn(one)] as const);
      return invoke(nodeIn(fun), new Map(given));
    },
  ),
];

const COLLECTIONS: readonly Procedure[] = [
  method('CreateTuple', 'A tuple.', { elements: EXPRESSIONS }, ([elements]) => createTuple(nodesIn(elements))),
  method('CreateList', 'A list of values of one type.', { values: EXPRESSIONS }, ([values]) =>
    createList(nodesIn(values)),
  ),
  method('CreateSet', 'A set of values of one type.', { values: setOf(EXPRESSION) }, ([values]) =>
    createSet(nodesIn(values)),
  ),
  method(
    'CreateDictionary',
    'A dictionary of keys and values.',
    { keys: EXPRESSIONS, values: EXPRESSIONS },
    ([keys, values]) => createDictionary(nodesIn(keys), nodesIn(values)),
  ),
];

const CALL = procedure(
  'Expression_static_Call',
  'What a call gives in each frame.',
  { call: PROCEDURE_CALL },
  {
    returns: EXPRESSION,
    call: async ({ streams }, [call]) => objectOfCall(await streams.valueOf(call as NamedCall)),
  },
);

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

const TYPES = NAMED_TYPES.map(([name, type]) => {
  const made: TypeObject = { key: name, type };
  return procedure(`Type_static_${name}`, `The type ${name}.`, {}, { returns: TYPE, call: () => made });
});

export const expressionProcedures: readonly Procedure[] = [
  ...CONSTANTS,
  CALL,
  ...OPERATORS.map(operatorMethod),
  CAST,
  ...FUNCTIONS,
  ...COLLECTIONS,
  ...COLLECTION_OPERATORS.map(operatorMethod),
  ...TYPES,
];
