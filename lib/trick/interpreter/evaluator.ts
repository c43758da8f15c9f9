// Expressions of a running block: names, variables, calls and operators, each step counted against the limits.
import type * as tree from '../../../grammar/trick/index.js';
import { didYouMean, nearestNames } from '../../model/suggest.js';
import { bindParameters } from './bind.js';
import { builtins } from './builtins.js';
import { toModel } from './convert.js';
import { ScriptError } from './error.js';
import { formatValue } from './format-spec.js';
import { subscript } from './subscript.js';
import { binary, compare, invert, negate, positive } from './operators.js';
import type { Limits, Surroundings } from './scope.js';
import { repr, str } from './text.js';
import {
  type Arguments,
  Bytes,
  DefinedFunction,
  DictionaryValue,
  isCallable,
  isModule,
  isTrue,
  ListValue,
  Quantity,
  RangeValue,
  type Run,
  TupleValue,
  typeName,
  type Value,
  VariableProxy,
} from './values.js';

/** How often the clock is looked at. */
const STEPS_PER_LOOK = 1024;

type CallDefined = (called: DefinedFunction, locals: Map<string, Value>) => Run<Value>;

export class BlockedEvaluator {
  private steps = 0;
  private printed = 0;
  private readonly endMillis: number;
  private readonly builtinTable: ReadonlyMap<string, Value>;
  /** Names of the functions being called, innermost last. */
  private readonly frames: { readonly locals: Map<string, Value>; readonly globals: Set<string> }[] = [];

  constructor(
    private readonly surroundings: Surroundings,
    private readonly limits: Limits,
    private readonly nowMillis: () => number,
    private readonly callDefined: CallDefined,
  ) {
    this.endMillis = nowMillis() + limits.millis;
    this.builtinTable = builtins({ write: (text) => this.print(text), items: (value) => [...this.iterate(value)] });
  }

  /** Counts one step; throws when the block has had its share. */
  step(): void {
    if (++this.steps > this.limits.steps) {
      throw new ScriptError('RuntimeError', `the block was stopped after ${this.limits.steps} steps`);
    }
    if (this.steps % STEPS_PER_LOOK === 0 && this.nowMillis() > this.endMillis) {
      throw new ScriptError('RuntimeError', `the block was stopped after ${this.limits.millis} ms`);
    }
  }

  setName(name: string, value: Value): void {
    const frame = this.frames.at(-1);
    if (frame && !frame.globals.has(name)) frame.locals.set(name, value);
    else this.surroundings.names.set(name, value);
  }

  declareGlobal(names: readonly string[]): void {
    for (const name of names) this.frames.at(-1)?.globals.add(name);
  }

  /** Runs with the local names of a function. */
  *within<T>(locals: Map<string, Value>, run: () => Run<T>): Run<T> {
    if (this.frames.length >= this.limits.callDepth) {
      throw new ScriptError('RecursionError', `functions may call each other ${this.limits.callDepth} deep`);
    }
    this.frames.push({ locals, globals: new Set() });
    try {
      return yield* run();
    } finally {
      this.frames.pop();
    }
  }

  *evaluate(expression: tree.Expression): Run<Value> {
    this.step();
    switch (expression.kind) {
      case 'text':
      case 'boolean':
      case 'float':
        return expression.value;
      case 'integer':
        return BigInt(expression.value);
      case 'none':
        return null;
      case 'name':
        return yield* this.evaluateName(expression.name);
      case 'attribute':
        return yield* this.evaluateAttribute(expression);
      case 'subscript':
        return yield* this.evaluateSubscript(expression);
      case 'call':
        return yield* this.evaluateCall(expression);
      default:
        return yield* this.evaluateCompound(expression);
    }
  }

  private *evaluateCompound(expression: tree.Expression): Run<Value> {
    switch (expression.kind) {
      case 'bytes':
        return new Bytes(expression.value);
      case 'unary':
        return this.applyUnary(expression.operator, yield* this.evaluate(expression.operand));
      case 'binary':
        return binary(expression.operator, yield* this.evaluate(expression.left), yield* this.evaluate(expression.right));
      case 'comparison':
        return yield* this.evaluateComparison(expression);
      case 'logical':
        return yield* this.evaluateLogical(expression);
      case 'conditional': {
        const isThen = isTrue(yield* this.evaluate(expression.test));
        return yield* this.evaluate(isThen ? expression.then : expression.otherwise);
      }
      case 'list':
        return new ListValue(yield* this.evaluateAll(expression.items));
      case 'tuple':
        return new TupleValue(yield* this.evaluateAll(expression.items));
      case 'dictionary':
        return yield* this.evaluateDictionary(expression);
      case 'formatted-text':
        return yield* this.evaluateFormatted(expression);
      default:
        throw new ScriptError('TypeError', `${expression.kind} is not an expression`);
    }
  }

  private applyUnary(operator: tree.UnaryOperator, value: Value): Value {
    switch (operator) {
      case '-':
        return negate(value);
      case '+':
        return positive(value);
      case '~':
        return invert(value);
      case 'not':
        return !isTrue(value);
    }
  }

  private *evaluateAll(expressions: readonly tree.Expression[]): Run<Value[]> {
    const values: Value[] = [];
    for (const expression of expressions) values.push(yield* this.evaluate(expression));
    return values;
  }

  private *evaluateComparison({ first, rest }: tree.Comparison): Run<Value> {
    let left = yield* this.evaluate(first);
    for (const { operator, operand } of rest) {
      const right = yield* this.evaluate(operand);
      if (!compare(operator, left, right)) return false;
      left = right;
    }
    return true;
  }

  private *evaluateLogical({ operator, operands }: tree.Logical): Run<Value> {
    let value: Value = null;
    for (const operand of operands) {
      value = yield* this.evaluate(operand);
      if (isTrue(value) === (operator === 'or')) return value;
    }
    return value;
  }

  private *evaluateDictionary({ entries }: tree.Dictionary): Run<Value> {
    const dictionary = new DictionaryValue();
    for (const entry of entries) {
      const key = yield* this.evaluate(entry.key);
      dictionary.entries.set(repr(key), { key, value: yield* this.evaluate(entry.value) });
    }
    return dictionary;
  }

  private *evaluateFormatted({ parts }: tree.FormattedText): Run<Value> {
    let text = '';
    for (const part of parts) {
      if (part.kind === 'text') text += part.value;
      else {
        const value = yield* this.evaluate(part.value);
        const converted = part.conversion === undefined ? value : part.conversion === 's' ? str(value) : repr(value);
        text += formatValue(converted, part.format);
      }
    }
    return text;
  }

  private *evaluateName(name: string): Run<Value> {
    const own = this.frames.at(-1)?.locals.get(name) ?? this.surroundings.names.get(name);
    if (own !== undefined) return own;
    const module = this.surroundings.modules.get(name);
    if (module) return module;
    const builtin = this.builtinTable.get(name);
    if (builtin !== undefined) return builtin;
    const variable = yield* this.readVariable(name);
    if (variable !== undefined) return variable;
    if (name === '__name__') return '__main__';
    throw new ScriptError('NameError', `name '${name}' is not defined${didYouMean(nearestNames(name, this.knownNames()))}`);
  }

  private knownNames(): string[] {
    const { names, modules } = this.surroundings;
    return [...names.keys(), ...modules.keys(), ...this.builtinTable.keys()];
  }

  /** What a path stands for in the frame that shows all this session has written. */
  private *readVariable(path: string): Run<Value | undefined> {
    while (this.surroundings.hasPendingWrites()) yield 'settled';
    return this.surroundings.variable(path);
  }

  private *evaluateAttribute({ object, name }: tree.Attribute): Run<Value> {
    const holder = yield* this.evaluate(object);
    if (holder instanceof VariableProxy) {
      const path = `${holder.path}.${name}`;
      const value = (yield* this.readVariable(path)) ?? this.surroundings.method(path);
      if (value === undefined) throw new ScriptError('AttributeError', this.surroundings.explain(path));
      return value;
    }
    if (isModule(holder)) {
      const value = holder.attribute(name);
      if (value !== undefined) return value;
      const near = didYouMean(nearestNames(name, holder.names()));
      throw new ScriptError('AttributeError', `module '${holder.name}' has no attribute '${name}'${near}`);
    }
    throw new ScriptError('AttributeError', `'${typeName(holder)}' object has no attribute '${name}'`);
  }

  private *evaluateSubscript({ object, index }: tree.Subscript): Run<Value> {
    const holder = yield* this.evaluate(object);
    if (index.kind === 'slice') {
      const bounds: (Value | undefined)[] = [];
      for (const bound of [index.start, index.stop, index.step]) bounds.push(bound && (yield* this.evaluate(bound)));
      return subscript.slice(holder instanceof VariableProxy ? new ListValue([...this.iterate(holder)]) : holder, bounds);
    }
    const key = yield* this.evaluate(index);
    if (!(holder instanceof VariableProxy)) return subscript.item(holder, key);
    const path = `${holder.path}[${this.indexOf(holder, key)}]`;
    const value = yield* this.readVariable(path);
    if (value === undefined) throw new ScriptError('IndexError', this.surroundings.explain(path));
    return value;
  }

  /** Python counts negative indices from the end. */
  private indexOf(holder: VariableProxy, key: Value): bigint {
    if (typeof key !== 'bigint') {
      throw new ScriptError('TypeError', `indices of ${holder.path} must be integers, not ${typeName(key)}`);
    }
    if (key >= 0n) return key;
    const { type } = holder.variable;
    return type.kind === 'array' ? key + BigInt(type.length) : key;
  }

  private *evaluateCall(call: tree.Call): Run<Value> {
    const callee = yield* this.evaluate(call.callee);
    const positional = yield* this.evaluateAll(call.positional);
    const keywords: [string, Value][] = [];
    for (const { name, value } of call.keywords) keywords.push([name, yield* this.evaluate(value)]);
    return yield* this.callValue(callee, { positional, keywords });
  }

  private *callValue(callee: Value, args: Arguments): Run<Value> {
    if (callee instanceof DefinedFunction) return yield* this.callDefined(callee, bindParameters(callee, args));
    if (!isCallable(callee)) throw new ScriptError('TypeError', `'${typeName(callee)}' object is not callable`);
    const result = callee.call(args);
    return isRun(result) ? yield* result : result;
  }

  /** Stores in a name, a list's element, or a variable. */
  *assignTo(target: tree.Name | tree.Attribute | tree.Subscript, value: Value): Run<void> {
    if (target.kind === 'name') return this.assignName(target.name, value);
    const holder = yield* this.evaluate(target.object);
    const key = target.kind === 'attribute' ? undefined : yield* this.subscriptKey(target);
    if (holder instanceof VariableProxy) {
      const path = key === undefined ? `${holder.path}.${(target as tree.Attribute).name}` : `${holder.path}[${this.indexOf(holder, key)}]`;
      const stored = toModel(value instanceof VariableProxy ? new ListValue([...this.iterate(value)]) : value);
      return this.surroundings.assign(path, stored.value, stored.units);
    }
    if (key !== undefined) return subscript.store(holder, key, value);
    throw new ScriptError('AttributeError', `'${typeName(holder)}' object has no attribute '${(target as tree.Attribute).name}'`);
  }

  private *subscriptKey({ index }: tree.Subscript): Run<Value> {
    if (index.kind === 'slice') throw new ScriptError('TypeError', 'a slice cannot be assigned to, assign the whole list');
    return yield* this.evaluate(index);
  }

  private assignName(name: string, value: Value): void {
    if (this.surroundings.modules.has(name)) throw new ScriptError('TypeError', `${name} cannot be replaced`);
    this.setName(name, value);
  }

  *iterate(value: Value): Generator<Value, void, void> {
    if (value instanceof ListValue || value instanceof TupleValue) yield* value.items;
    else if (typeof value === 'string') yield* value;
    else if (value instanceof RangeValue) for (let i = 0n; i < value.length; i++) yield value.start + i * value.step;
    else if (value instanceof DictionaryValue) for (const { key } of value.entries.values()) yield key;
    else yield* this.elementsOf(value);
  }

  private elementsOf(value: Value): readonly Value[] {
    if (value instanceof Quantity && value.magnitude instanceof ListValue) return value.magnitude.items;
    const elements = value instanceof VariableProxy ? this.surroundings.elements(value) : undefined;
    if (!elements) throw new ScriptError('TypeError', `'${typeName(value)}' object is not iterable`);
    return elements;
  }

  private print(text: string): void {
    this.printed += text.length;
    if (this.printed > this.limits.output) {
      throw new ScriptError('RuntimeError', `the block was stopped after printing ${this.limits.output} characters`);
    }
    this.surroundings.write('stdout', text);
  }
}

const isRun = (result: Value | Run<Value>): result is Run<Value> =>
  typeof result === 'object' && result !== null && 'next' in result;
