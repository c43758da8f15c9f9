// A condition as a function that needs no session, for the simulation's thread. It says what the interpreter would say, or
// nothing: what it does not know is left to the interpreter.
import type * as tree from '../grammar/index.js';
import { BUILTINS } from './builtins.js';
import { compare } from './comparison.js';
import { isRun } from './evaluator.js';
import { BLOCK_LIMITS, Meter } from './meter.js';
import { mathModule } from './modules.js';
import { binary, unary } from './operators.js';
import {
  Bytes,
  type Callable,
  HostVariable,
  isCallable,
  isTrue,
  itemsOf,
  ListValue,
  type Run,
  type ScriptValue,
  type Tools,
  TupleValue,
} from './values.js';

/** What a condition sees. */
export interface Seen {
  /** Reads a variable of the simulation's own objects; what it gives is undefined when there is none at the path. */
  variable(path: string): () => ScriptValue | undefined;
  /** What functions without arguments give, by their paths; undefined for all that are not known here. */
  function(path: string): (() => ScriptValue) | undefined;
  /** Names of modules, which come before variables. */
  readonly modules: ReadonlySet<string>;
}

/** Thrown where only the interpreter can say what a value is. */
const UNKNOWN = Symbol('unknown');

type Evaluate = () => ScriptValue;

/** Compiles an expression; the function returns undefined where only the interpreter can say whether it holds. */
export function compiled(expression: tree.Expression, seen: Seen): () => boolean | undefined {
  try {
    const compiler = new Compiler(seen);
    const evaluate = compiler.compile(expression);
    return () => {
      try {
        compiler.tools.meter = new Meter(BLOCK_LIMITS);
        return isTrue(evaluate());
      } catch {
        return undefined;
      }
    };
  } catch {
    return () => undefined;
  }
}

class Compiler {
  /** For the operators and functions of the language: their limits, and nothing that they could change. */
  readonly tools: Tools & { meter: Meter } = {
    meter: new Meter(BLOCK_LIMITS),
    block: { owner: '' },
    write: unknown,
    iterate: (value) => itemsOf(value) ?? unknown(),
    elementCount: unknown,
    elements: unknown,
    call: unknown,
    attribute: unknown,
    setAttribute: unknown,
    include: unknown,
  };

  constructor(private readonly seen: Seen) {}

  compile(expression: tree.Expression): Evaluate {
    switch (expression.kind) {
      case 'text':
      case 'boolean':
      case 'float':
        return constant(expression.value);
      case 'integer':
        return constant(BigInt(expression.value));
      case 'none':
        return constant(null);
      case 'bytes':
        return constant(new Bytes(expression.value));
      case 'name':
      case 'attribute':
      case 'subscript':
        return this.variable(expression);
      case 'call':
        return this.call(expression);
      default:
        return this.compound(expression);
    }
  }

  private compound(expression: tree.Expression): Evaluate {
    switch (expression.kind) {
      case 'unary': {
        const operand = this.compile(expression.operand);
        return () => unary(expression.operator, operand());
      }
      case 'binary':
        return this.binary(expression);
      case 'comparison':
        return this.comparison(expression);
      case 'logical':
        return this.logical(expression);
      case 'conditional': {
        const [test, then, otherwise] = [expression.test, expression.then, expression.otherwise].map((part) =>
          this.compile(part),
        ) as [Evaluate, Evaluate, Evaluate];
        return () => (isTrue(test()) ? then() : otherwise());
      }
      case 'list':
      case 'tuple': {
        const items = expression.items.map((item) => this.compile(item));
        const Made = expression.kind === 'list' ? ListValue : TupleValue;
        return () => new Made(items.map((item) => item()));
      }
      default:
        return unknown();
    }
  }

  private binary({ operator, left, right }: tree.Binary): Evaluate {
    const [a, b] = [this.compile(left), this.compile(right)];
    return () => {
      const value = a();
      if (operator === '%' && typeof value === 'string') return unknown();
      return binary(operator, value, b(), this.tools.meter);
    };
  }

  private comparison({ first, rest }: tree.Comparison): Evaluate {
    const start = this.compile(first);
    const steps = rest.map(({ operator, operand }) => ({ operator, operand: this.compile(operand) }));
    return () => {
      let left = start();
      for (const { operator, operand } of steps) {
        const right = operand();
        const outcome = compare(operator, left, right, this.tools.meter);
        if (!(typeof outcome === 'boolean' ? outcome : atOnce(outcome))) return false;
        left = right;
      }
      return true;
    };
  }

  private logical({ operator, operands }: tree.Logical): Evaluate {
    const all = operands.map((operand) => this.compile(operand));
    return () => {
      let value: ScriptValue = null;
      for (const operand of all) {
        value = operand();
        if (isTrue(value) === (operator === 'or')) return value;
      }
      return value;
    };
  }

  private variable(expression: tree.Name | tree.Attribute | tree.Subscript): Evaluate {
    const path = pathOf(expression);
    const [first = path] = path.split(/[.[]/, 1);
    if (this.seen.modules.has(first) || BUILTINS.has(first)) return unknown();
    const read = this.seen.variable(path);
    return () => {
      const value = read();
      return value === undefined || value instanceof HostVariable ? unknown() : value;
    };
  }

  private call({ callee, positional, keywords }: tree.Call): Evaluate {
    if (keywords.length > 0 || (callee.kind !== 'name' && callee.kind !== 'attribute')) return unknown();
    const path = pathOf(callee);
    const known = this.seen.function(path);
    if (known) return positional.length === 0 ? known : unknown();
    const called = functionAt(path);
    const values = positional.map((argument) => this.compile(argument));
    return () => {
      const result = called.call({ positional: values.map((value) => value()), keywords: [] }, this.tools);
      return isRun(result) ? atOnce(result) : result;
    };
  }
}

const constant =
  (value: ScriptValue): Evaluate =>
  () =>
    value;

function unknown(): never {
  throw UNKNOWN;
}

/** What a computation gives that need not wait. */
function atOnce<T>(run: Run<T>): T {
  const step = run.next();
  return step.done ? step.value : unknown();
}

/** The path of a variable or function that does not depend on other values. */
function pathOf(expression: tree.Expression): string {
  switch (expression.kind) {
    case 'name':
      return expression.name;
    case 'attribute':
      return `${pathOf(expression.object)}.${expression.name}`;
    case 'subscript':
      return expression.index.kind === 'integer'
        ? `${pathOf(expression.object)}[${expression.index.value}]`
        : unknown();
    default:
      return unknown();
  }
}

function functionAt(path: string): Callable {
  const found = path.startsWith('math.') ? mathModule.attribute(path.slice('math.'.length)) : BUILTINS.get(path);
  return found !== undefined && isCallable(found) ? found : unknown();
}
