// Expressions: typed trees that are evaluated in each frame under a budget.
import type { Frame } from '../../../model/frame/reader.js';
import { invalidArgument, invalidOperation } from '../service/procedure.js';
import { describeType, isSameType, type KrpcType, type KrpcValue, type RemoteObject } from '../values/type.js';

/** The type of an expression that is a function. */
export interface FunctionType {
  readonly takes: readonly ParameterNode[];
  readonly gives: KrpcType;
}

/** One evaluation. */
export interface Evaluation {
  readonly frame: Frame;
  /** Counts steps; one without a number. Throws an Error when there are too many. */
  step(count?: number): void;
  readonly variables: Map<Node, KrpcValue>;
}

export interface Node {
  readonly type: KrpcType;
  /** Set for a function, which has no value itself: `type` is then that of its result. */
  readonly asFunction?: FunctionType;
  /** How many nodes are evaluated; a node that stands in several places counts several times. */
  readonly size: number;
  readonly depth: number;
  readonly isConstant: boolean;
  readonly evaluate: (evaluation: Evaluation) => KrpcValue;
  /** Set for a parameter. */
  readonly name?: string;
}

export interface ParameterNode extends Node {
  readonly name: string;
}

/** What makes an expression of others. */
export interface Operator {
  readonly name: string;
  readonly about: string;
  /** The names of its parameters. */
  readonly takes: readonly string[];
  /** Throws a ServiceError for parts of other types. */
  make(...parts: readonly [Node, Node, Node]): Node;
}

/** @param takes the names of its parameters, with blanks between. */
export const operator = (name: string, takes: string, about: string, make: Operator['make']): Operator => ({
  name,
  about,
  takes: takes.split(' '),
  make,
});

/** A client's expression, or one of its types. */
export interface ExpressionObject extends RemoteObject {
  readonly node: Node;
}

/** The most nodes of an expression, and how deep they may lie in each other. */
export const MOST_NODES = 10_000;
export const DEEPEST = 64;
/** The most nodes that are evaluated in one frame for one expression. */
const MOST_STEPS = 20_000;

/** So many characters of a text that is looked at cost a step. */
export const CHARACTERS_PER_STEP = 64;

/** Thrown while a call has no value yet. */
class NotYet extends Error {
  override readonly name = 'NotYet';
}

export const notYet = (): NotYet => new NotYet('there is no value yet');

/** An inner node. Throws a ServiceError when it becomes too large. */
export function nodeOf(
  type: KrpcType,
  parts: readonly Node[],
  evaluate: Node['evaluate'],
  { isConstant = true, asFunction }: { isConstant?: boolean; asFunction?: FunctionType } = {},
): Node {
  const size = 1 + parts.reduce((sum, part) => sum + part.size, 0);
  const depth = 1 + Math.max(0, ...parts.map((part) => part.depth));
  if (size > MOST_NODES) throw invalidArgument(`an expression may have ${MOST_NODES} parts`);
  if (depth > DEEPEST) throw invalidArgument(`the parts of an expression may lie ${DEEPEST} deep in each other`);
  return {
    type,
    size,
    depth,
    isConstant: isConstant && parts.every((part) => part.isConstant),
    evaluate: (evaluation) => {
      evaluation.step();
      const value = evaluate(evaluation);
      // Whoever takes a long text looks at each of its characters.
      if (typeof value === 'string') evaluation.step(value.length / CHARACTERS_PER_STEP);
      return value;
    },
    ...(asFunction ? { asFunction } : {}),
  };
}

export const constant = (type: KrpcType, value: KrpcValue): Node => nodeOf(type, [], () => value);

export function parameter(name: string, type: KrpcType): ParameterNode {
  const node: ParameterNode = {
    ...nodeOf(type, [], (evaluation) => {
      const value = evaluation.variables.get(node);
      if (value === undefined) throw invalidOperation(`the parameter ${name} has no value here`);
      return value;
    }),
    isConstant: false,
    name,
  };
  return node;
}

/** The value of an expression in a frame; undefined while a call has no value. Throws an Error with one sentence. */
export function valueIn(frame: Frame, node: Node): KrpcValue | undefined {
  let steps = 0;
  const step = (count = 1): void => {
    steps += count;
    if (steps > MOST_STEPS) throw invalidOperation(`an expression may take ${MOST_STEPS} steps in a frame`);
  };
  try {
    return node.evaluate({ frame, step, variables: new Map() });
  } catch (error) {
    if (error instanceof NotYet) return undefined;
    throw error;
  }
}

/** The value of an expression that needs no frame, in as many steps as in a frame. Throws an Error with one sentence. */
export const constantValue = (node: Node): KrpcValue => valueIn(undefined as never, node) as KrpcValue;

/** Calls a function with values, which are put back afterwards. */
export function applied(fun: Node, evaluation: Evaluation, values: readonly KrpcValue[]): KrpcValue {
  const { takes } = fun.asFunction as FunctionType;
  const { variables } = evaluation;
  const before = takes.map((one) => variables.get(one));
  for (const [index, one] of takes.entries()) variables.set(one, values[index] as KrpcValue);
  const value = fun.evaluate(evaluation);
  for (const [index, one] of takes.entries()) {
    const old = before[index];
    if (old === undefined) variables.delete(one);
    else variables.set(one, old);
  }
  return value;
}

/** Throws a ServiceError unless a node is a function of these types. */
export function requireFunction(node: Node, takes: readonly KrpcType[], gives?: KrpcType): FunctionType {
  const fun = node.asFunction;
  const fits =
    fun &&
    fun.takes.length === takes.length &&
    fun.takes.every(({ type }, index) => isSameType(type, takes[index] as KrpcType)) &&
    (!gives || isSameType(fun.gives, gives));
  if (fits) return fun;
  const wanted = takes.map(describeType).join(', ');
  throw invalidOperation(
    `a function of ${wanted} is needed here${gives ? `, which gives ${describeType(gives)}` : ''}`,
  );
}

/** Throws a ServiceError for a function where a value is needed. */
export function requireValue(node: Node): void {
  if (node.asFunction) throw invalidOperation('a value is needed here, not a function');
}
