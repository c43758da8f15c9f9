// Expressions of a running block: names, variables, calls and operators, each step paid for.

import { didYouMean, nearestNames } from '../../../model/state/suggest.js';
import type * as tree from '../grammar/index.js';
import { attributeOf, setAttribute } from './attribute.js';
import { bindLocals } from './bind.js';
import { BUILTINS } from './builtins.js';
import { compare } from './comparison.js';
import { evaluateComprehension } from './comprehension.js';
import { ScriptError } from './error.js';
import type { Host } from './host.js';
import { Iteration } from './iteration.js';
import { extend } from './list-methods.js';
import type { Meter } from './meter.js';
import { NameTable } from './name-table.js';
import { toInteger } from './number-of.js';
import { binary, takeList, takeText, unary } from './operators.js';
import { percentFormat } from './percent-format.js';
import { item, remove, removeSlice, slice, store, storeEntry, storeSlice } from './subscript.js';
import { written } from './template.js';
import { typeName } from './type-name.js';
import { unpacked } from './unpacking.js';
import {
  type Arguments,
  type Bounds,
  Bytes,
  DefinedFunction,
  DictionaryValue,
  HostVariable,
  isCallable,
  isModule,
  isTrue,
  ListValue,
  type Run,
  type ScriptValue,
  type Tools,
  TupleValue,
  type Wait,
} from './values.js';
import { VariableAccess } from './variable-access.js';

/** What runs statements. */
interface Statements {
  callDefined(called: DefinedFunction, locals: Map<string, ScriptValue>): Run<ScriptValue>;
  readonly include: Tools['include'];
}

export class Evaluator {
  readonly names: NameTable;
  readonly tools: Tools;
  readonly iteration: Iteration;
  private readonly access: VariableAccess;

  constructor(
    private readonly host: Host,
    readonly meter: Meter,
    private readonly statements: Statements,
  ) {
    this.iteration = new Iteration(host, meter);
    this.tools = {
      meter,
      block: host,
      write: (text, stream = 'stdout') => this.print(text, stream),
      iterate: (value) => this.iteration.iterate(value),
      elementCount: (variable) => this.iteration.elementsAt(variable).length,
      elements: (variable) => this.iteration.elements(variable),
      call: (callee, args) => this.callValue(callee, args),
      attribute: (holder, name) => this.attribute(holder, name),
      setAttribute: (holder, name, value) => this.setAttribute(holder, name, value),
      include: statements.include,
    };
    this.access = new VariableAccess(host, this.tools);
    this.names = new NameTable(host, meter, BUILTINS);
  }

  *evaluate(expression: tree.Expression): Run<ScriptValue> {
    this.meter.spend(1);
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

  private *evaluateCompound(expression: tree.Expression): Run<ScriptValue> {
    switch (expression.kind) {
      case 'bytes':
        return new Bytes(expression.value);
      case 'unary':
        return unary(expression.operator, yield* this.evaluate(expression.operand));
      case 'binary':
        return yield* this.evaluateBinary(expression);
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
      case 'comprehension':
        return yield* this.names.inside(() => evaluateComprehension(expression, this));
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

  private *evaluateBinary({ operator, left, right }: tree.Binary): Run<ScriptValue> {
    const a = literal(left) ?? (yield* this.evaluate(left));
    const b = literal(right) ?? (yield* this.evaluate(right));
    return yield* this.combine(operator, a, b);
  }

  private *combine(operator: tree.BinaryOperator, a: ScriptValue, b: ScriptValue): Run<ScriptValue> {
    const isFormat = operator === '%' && typeof a === 'string';
    if (isFormat) yield* this.iteration.awaitElements(b);
    const result = isFormat ? yield* percentFormat(a, b, this.tools) : binary(operator, a, b, this.meter);
    // Looks at the clock here, because one expression may make many long lists.
    if (this.meter.isTurnOver) yield 'turn';
    return result;
  }

  /** `target operator= operand`: a list grows in place. */
  *augment(operator: tree.BinaryOperator, current: ScriptValue, operand: ScriptValue): Run<ScriptValue> {
    if (operator !== '+' || !(current instanceof ListValue)) return yield* this.combine(operator, current, operand);
    yield* this.iteration.awaitElements(operand);
    yield* extend(current, operand, this.tools);
    return current;
  }

  /** Stores in a name, or the items of a value in as many targets. */
  *bindTarget(target: tree.Target, value: ScriptValue): Run<void> {
    if (target.kind !== 'tuple') return yield* this.assignTo(target, value);
    yield* this.iteration.awaitElements(value);
    const items = unpacked(value, target.items.length, (iterable) => this.iteration.iterate(iterable));
    for (const [index, item] of target.items.entries()) yield* this.bindTarget(item, items[index] as ScriptValue);
  }

  private *evaluateAll(expressions: readonly tree.Expression[]): Run<ScriptValue[]> {
    const values: ScriptValue[] = [];
    takeList(expressions.length, this.meter);
    for (const expression of expressions) values.push(literal(expression) ?? (yield* this.evaluate(expression)));
    return values;
  }

  private *evaluateComparison({ first, rest }: tree.Comparison): Run<ScriptValue> {
    let left = yield* this.evaluate(first);
    for (const { operator, operand } of rest) {
      const right = yield* this.evaluate(operand);
      const outcome = compare(operator, left, right, this.meter);
      if (!(typeof outcome === 'boolean' ? outcome : yield* outcome)) return false;
      left = right;
    }
    return true;
  }

  private *evaluateLogical({ operator, operands }: tree.Logical): Run<ScriptValue> {
    let value: ScriptValue = null;
    for (const operand of operands) {
      value = yield* this.evaluate(operand);
      if (isTrue(value) === (operator === 'or')) return value;
    }
    return value;
  }

  private *evaluateDictionary({ entries }: tree.Dictionary): Run<ScriptValue> {
    const dictionary = new DictionaryValue();
    for (const entry of entries) {
      const key = yield* this.evaluate(entry.key);
      storeEntry(dictionary, key, yield* this.evaluate(entry.value), this.meter);
    }
    return dictionary;
  }

  private *evaluateFormatted({ parts }: tree.FormattedText): Run<ScriptValue> {
    let text = '';
    for (const part of parts) {
      text += part.kind === 'text' ? part.value : yield* this.format(yield* this.evaluate(part.value), part);
      takeText(text.length, this.meter);
    }
    return text;
  }

  private *format(value: ScriptValue, field: tree.Field): Run<string> {
    yield* this.iteration.awaitElements(value);
    return yield* written(value, field, this.tools);
  }

  private *evaluateName(name: string): Run<ScriptValue> {
    const found = this.names.find(name);
    // As in Python, an object of the simulation hides what the language knows by its name.
    const isHidden = found !== undefined && found === BUILTINS.get(name) && this.host.isObject?.(name);
    const known = isHidden ? undefined : found;
    const value = known === undefined ? yield* this.access.read(name) : known;
    if (value !== undefined) return value;
    if (name === '__name__') return '__main__';
    if (name === '__file__' && this.host.input) return this.host.input.name;
    // Every name is near a name of one or two letters, so those get no suggestions.
    const near = name.length > 2 ? didYouMean(nearestNames(name, this.names.known())) : '';
    throw new ScriptError('NameError', `name '${name}' is not defined${near}`);
  }

  private *evaluateAttribute({ object, name }: tree.Attribute): Run<ScriptValue> {
    const holder = yield* this.evaluate(object);
    const path = this.valuePathOf(object);
    const method = path === undefined ? undefined : this.host.method(`${path}.${name}`);
    return method ?? (yield* this.attribute(holder, name));
  }

  private *attribute(holder: ScriptValue, name: string): Run<ScriptValue> {
    if (holder instanceof HostVariable) return yield* this.access.attribute(holder, name);
    this.access.valuePath = undefined;
    return attributeOf(holder, name);
  }

  private *evaluateSubscript({ object, index }: tree.Subscript): Run<ScriptValue> {
    const holder = yield* this.evaluate(object);
    const textPath = this.textPathOf(object, holder);
    if (index.kind === 'slice') {
      const bounds = yield* this.evaluateBounds(index);
      this.access.valuePath = undefined;
      if (holder instanceof HostVariable) return yield* this.access.sliced(holder, bounds);
      return slice(holder, bounds, this.meter);
    }
    const key = yield* this.evaluate(index);
    if (holder instanceof HostVariable) return yield* this.access.element(holder, key);
    const character =
      textPath === undefined ? undefined : yield* this.access.character(textPath, holder as string, key);
    this.access.valuePath = undefined;
    return character === undefined ? item(holder, key, this.meter) : character;
  }

  /** Where the single value was read that an expression is. */
  private valuePathOf({ kind }: tree.Expression): string | undefined {
    return kind === 'attribute' || kind === 'subscript' ? this.access.valuePath : undefined;
  }

  /** Where a text was read that stands before an index. */
  private textPathOf(expression: tree.Expression, holder: ScriptValue): string | undefined {
    return typeof holder === 'string' ? this.valuePathOf(expression) : undefined;
  }

  private *evaluateBounds({ start, stop, step }: tree.Slice): Run<Bounds> {
    const bounds: (ScriptValue | undefined)[] = [];
    for (const bound of [start, stop, step]) bounds.push(bound && (yield* this.evaluate(bound)));
    return bounds;
  }

  private *evaluateCall(call: tree.Call): Run<ScriptValue> {
    const callee = yield* this.evaluate(call.callee);
    const positional = yield* this.evaluateAll(call.positional);
    const keywords: [string, ScriptValue][] = [];
    for (const { name, value } of call.keywords) keywords.push([name, yield* this.evaluate(value)]);
    return yield* this.callValue(callee, { positional, keywords });
  }

  private *callValue(callee: ScriptValue, args: Arguments): Run<ScriptValue> {
    if (callee instanceof DefinedFunction) return yield* this.statements.callDefined(callee, bindLocals(callee, args));
    if (!isCallable(callee)) throw new ScriptError('TypeError', `'${typeName(callee)}' object is not callable`);
    if (callee.takesElements) for (const value of args.positional) yield* this.iteration.awaitElements(value);
    const result = callee.call(args, this.tools);
    const value = isRun(result) ? yield* result : result;
    this.meter.called();
    yield* this.giveWay();
    return value;
  }

  /** A fast way for `module.name("x")` and other calls with literals only; undefined for any other call. */
  callDirectly({ callee, positional, keywords }: tree.Call): ScriptValue | Run<ScriptValue> | undefined {
    if (callee.kind !== 'attribute' || callee.object.kind !== 'name' || keywords.length > 0) return undefined;
    const module = this.names.find(callee.object.name);
    const command = module !== undefined && isModule(module) ? module.attribute(callee.name) : undefined;
    if (command === undefined || !isCallable(command)) return undefined;
    const values: ScriptValue[] = [];
    for (const expression of positional) {
      const value = literal(expression);
      if (value === undefined) return undefined;
      values.push(value);
    }
    this.meter.spend(2 + values.length);
    const result = command.call({ positional: values, keywords: NO_KEYWORDS }, this.tools);
    if (!isRun(result)) this.meter.called();
    return result;
  }

  /** Waits for what must be awaited, and gives way to others when it is their turn. */
  *giveWay(): Run<void> {
    for (let wait = this.waitsFor(); wait !== undefined; wait = this.waitsFor()) yield wait;
  }

  waitsFor(): Wait | undefined {
    return this.meter.isTurnOver ? 'turn' : this.host.mustWait();
  }

  /** Stores in a name, a list's element or slice, or a variable. */
  *assignTo(target: tree.Name | tree.Attribute | tree.Subscript, value: ScriptValue): Run<void> {
    if (target.kind === 'name') return this.names.assign(target.name, value);
    const holder = yield* this.evaluate(target.object);
    if (target.kind === 'subscript') yield* this.assignElement(target, holder, value);
    else yield* this.setAttribute(holder, target.name, value);
  }

  private *setAttribute(holder: ScriptValue, name: string, value: ScriptValue): Run<void> {
    if (holder instanceof HostVariable) yield* this.host.store(`${holder.path}.${name}`, value);
    else setAttribute(holder, name, value, this.tools);
  }

  private *assignElement({ object, index }: tree.Subscript, holder: ScriptValue, value: ScriptValue): Run<void> {
    const textPath = this.textPathOf(object, holder);
    if (index.kind === 'slice') {
      const bounds = yield* this.evaluateBounds(index);
      if (holder instanceof HostVariable) return yield* holder.storeSlice(bounds, value, this.tools);
      yield* this.iteration.awaitElements(value);
      return storeSlice(holder, bounds, this.iteration.iterate(value), this.meter);
    }
    const key = yield* this.evaluate(index);
    if (holder instanceof HostVariable) return yield* this.access.storeElement(holder, key, value);
    if (textPath !== undefined) return yield* this.host.store(`${textPath}[${toInteger(key)}]`, value);
    store(holder, key, value, this.meter);
  }

  /** `del target` */
  *deleteTarget(target: tree.Name | tree.Attribute | tree.Subscript): Run<void> {
    if (target.kind === 'name') return this.names.delete(target.name);
    const holder = yield* this.evaluate(target.object);
    if (target.kind === 'attribute' || holder instanceof HostVariable)
      throw new ScriptError('TypeError', 'only names and entries of lists and dictionaries can be deleted');
    const { index } = target;
    if (index.kind === 'slice') removeSlice(holder, yield* this.evaluateBounds(index), this.meter);
    else remove(holder, yield* this.evaluate(index), this.meter);
  }

  private print(text: string, stream: 'stdout' | 'stderr'): void {
    this.meter.print(text.length);
    this.host.write(stream, text);
  }
}

const NO_KEYWORDS: Arguments['keywords'] = [];

/** The value of a plain literal; undefined for all else. */
function literal(expression: tree.Expression): ScriptValue | undefined {
  switch (expression.kind) {
    case 'text':
    case 'boolean':
    case 'float':
      return expression.value;
    case 'integer':
      return BigInt(expression.value);
    default:
      return undefined;
  }
}

export const isRun = (result: ScriptValue | Run<ScriptValue>): result is Run<ScriptValue> =>
  typeof result === 'object' && result !== null && 'next' in result;
