// Expressions of a running block: names, variables, calls and operators, each step paid for.
import type * as tree from '../../../grammar/trick/index.js';
import { didYouMean, nearestNames } from '../../model/suggest.js';
import { Address } from './address.js';
import { attributeOf, setAttribute } from './attribute.js';
import { bindLocals } from './bind.js';
import { builtins } from './builtins.js';
import { compare } from './comparison.js';
import { toModel } from './convert.js';
import { ScriptError } from './error.js';
import { formatValue } from './format-spec.js';
import type { Meter } from './meter.js';
import { NameTable } from './name-table.js';
import { binary, takeList, takeText, unary } from './operators.js';
import type { Elements, Surroundings } from './scope.js';
import { item, slice, store, storeEntry } from './subscript.js';
import { asciiOnly, repr, str } from './text.js';
import {
  type Arguments,
  Bytes,
  DefinedFunction,
  DictionaryValue,
  isCallable,
  isModule,
  isTrue,
  ListValue,
  plain,
  RangeValue,
  type Run,
  type ScriptValue,
  TupleValue,
  typeName,
  VariableProxy,
  type Wait,
} from './values.js';

type CallDefined = (called: DefinedFunction, locals: Map<string, ScriptValue>) => Run<ScriptValue>;

export class Evaluator {
  readonly names: NameTable;

  constructor(
    private readonly surroundings: Surroundings,
    readonly meter: Meter,
    private readonly callDefined: CallDefined,
  ) {
    const table = builtins({
      meter,
      write: (text) => this.print(text),
      iterate: (value) => this.iterate(value),
      elementCount: (variable) => this.elementsAt(variable).length,
    });
    this.names = new NameTable(surroundings, meter, table);
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
    const result = binary(operator, a, b, this.meter);
    // One expression may make many long lists.
    if (this.meter.isTurnOver) yield 'turn';
    return result;
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

  private *format(value: ScriptValue, { conversion, format }: tree.Field): Run<string> {
    if (conversion === undefined && format !== '') return formatValue(value, format, this.meter);
    const isStr = conversion === undefined || conversion === 's';
    const text = yield* isStr ? str(value, this.meter) : repr(value, this.meter);
    const written = conversion === 'a' ? asciiOnly(text) : text;
    return format === '' ? written : formatValue(written, format, this.meter);
  }

  private *evaluateName(name: string): Run<ScriptValue> {
    const known = this.names.find(name);
    const value = known === undefined ? yield* this.readVariable(name) : known;
    if (value !== undefined) return value;
    if (name === '__name__') return '__main__';
    throw new ScriptError(
      'NameError',
      `name '${name}' is not defined${didYouMean(nearestNames(name, this.names.known()))}`,
    );
  }

  /** The value at a path, in a frame that shows everything this session has written. */
  private *readVariable(path: string): Run<ScriptValue | undefined> {
    while (!this.surroundings.canRead(path, 'head')) yield 'settled';
    return this.surroundings.variable(path);
  }

  private *evaluateAttribute({ object, name }: tree.Attribute): Run<ScriptValue> {
    const holder = yield* this.evaluate(object);
    if (holder instanceof VariableProxy) {
      const path = `${holder.path}.${name}`;
      const value = yield* this.readVariable(path);
      if (value !== undefined) return value;
      const method = this.surroundings.method(path);
      if (method === undefined) throw new ScriptError('AttributeError', this.surroundings.explain(path));
      return method;
    }
    return attributeOf(holder, name);
  }

  private *evaluateSubscript({ object, index }: tree.Subscript): Run<ScriptValue> {
    const holder = yield* this.evaluate(object);
    if (index.kind === 'slice') {
      const bounds: (ScriptValue | undefined)[] = [];
      for (const bound of [index.start, index.stop, index.step]) bounds.push(bound && (yield* this.evaluate(bound)));
      const sliced = holder instanceof VariableProxy ? new ListValue(yield* this.elements(holder)) : holder;
      return slice(sliced, bounds, this.meter);
    }
    const key = yield* this.evaluate(index);
    if (!(holder instanceof VariableProxy)) return item(holder, key, this.meter);
    const path = `${holder.path}[${this.indexOf(holder, key)}]`;
    const value = yield* this.readVariable(path);
    if (value === undefined) throw new ScriptError('IndexError', this.surroundings.explain(path));
    return value;
  }

  /** Python counts negative indices from the end. */
  private indexOf(holder: VariableProxy, key: ScriptValue): bigint {
    if (typeof key !== 'bigint') {
      throw new ScriptError('TypeError', `indices of ${holder.path} must be integers, not ${typeName(key)}`);
    }
    if (key >= 0n) return key;
    const { type } = holder.variable;
    return type.kind === 'array' ? key + BigInt(type.length) : key;
  }

  private *evaluateCall(call: tree.Call): Run<ScriptValue> {
    const callee = yield* this.evaluate(call.callee);
    const positional = yield* this.evaluateAll(call.positional);
    const keywords: [string, ScriptValue][] = [];
    for (const { name, value } of call.keywords) keywords.push([name, yield* this.evaluate(value)]);
    return yield* this.callValue(callee, { positional, keywords });
  }

  private *callValue(callee: ScriptValue, args: Arguments): Run<ScriptValue> {
    if (callee instanceof DefinedFunction) return yield* this.callDefined(callee, bindLocals(callee, args));
    if (!isCallable(callee)) throw new ScriptError('TypeError', `'${typeName(callee)}' object is not callable`);
    if (this.names.builtins.has(callee.name)) for (const value of args.positional) yield* this.awaitElements(value);
    const result = callee.call(args);
    const value = isRun(result) ? yield* result : result;
    yield* this.giveWay();
    return value;
  }

  /** A fast way for `trick.var_add("x")` and other calls with literals only; undefined for any other call. */
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
    return command.call({ positional: values, keywords: NO_KEYWORDS });
  }

  /** Waits for what must be waited for, and lets others go on when it is their turn. */
  *giveWay(): Run<void> {
    for (let wait = this.waitsFor(); wait !== undefined; wait = this.waitsFor()) yield wait;
  }

  waitsFor(): Wait | undefined {
    return this.meter.isTurnOver ? 'turn' : this.surroundings.mustWait();
  }

  /** Stores in a name, a list's element, or a variable. */
  *assignTo(target: tree.Name | tree.Attribute | tree.Subscript, value: ScriptValue): Run<void> {
    if (target.kind === 'name') return this.names.assign(target.name, value);
    const holder = yield* this.evaluate(target.object);
    const key = target.kind === 'attribute' ? undefined : yield* this.subscriptKey(target);
    if (holder instanceof VariableProxy) {
      const path =
        key === undefined
          ? `${holder.path}.${(target as tree.Attribute).name}`
          : `${holder.path}[${this.indexOf(holder, key)}]`;
      if (value instanceof Address && this.surroundings.aim) return this.surroundings.aim(path, value);
      const stored = yield* toModel(
        value instanceof VariableProxy ? new ListValue(yield* this.elements(value)) : value,
        this.meter,
      );
      return this.surroundings.assign(path, stored.value, stored.units);
    }
    if (key !== undefined) return store(holder, key, value, this.meter);
    setAttribute(holder, (target as tree.Attribute).name, value);
  }

  private *subscriptKey({ index }: tree.Subscript): Run<ScriptValue> {
    if (index.kind === 'slice')
      throw new ScriptError('TypeError', 'a slice cannot be assigned to, assign the whole list');
    return yield* this.evaluate(index);
  }

  /** Waits until a variable's elements can be read in the frame that shows all this session has written. */
  *awaitElements(value: ScriptValue): Run<void> {
    if (!(value instanceof VariableProxy) || value.variable.type.kind === 'struct') return;
    while (!this.surroundings.canRead(value.path, 'all')) yield 'settled';
  }

  /** The items of a value, one by one; a list may change meanwhile. The caller has awaited the elements of a variable. */
  *iterate(value: ScriptValue): Generator<ScriptValue, void, void> {
    for (const item of this.itemsOf(value)) {
      this.meter.spend(1);
      yield item;
    }
  }

  private itemsOf(value: ScriptValue): Iterable<ScriptValue> {
    const bare = plain(value);
    if (bare instanceof ListValue || bare instanceof TupleValue) return bare.items;
    if (typeof bare === 'string') return bare;
    if (bare instanceof RangeValue) return bare.items();
    if (bare instanceof DictionaryValue) return [...bare.entries.values()].map(({ key }) => key);
    if (!(bare instanceof VariableProxy)) throw notIterable(value);
    const elements = this.elementsAt(bare);
    takeList(elements.length, this.meter);
    return elements.all();
  }

  private elementsAt(proxy: VariableProxy): Elements {
    const elements = this.surroundings.elements(proxy);
    if (!elements) throw notIterable(proxy);
    return elements;
  }

  private *elements(proxy: VariableProxy): Run<ScriptValue[]> {
    yield* this.awaitElements(proxy);
    const elements: ScriptValue[] = [];
    for (const element of this.iterate(proxy)) {
      if (this.meter.isTurnOver) yield 'turn';
      elements.push(element);
    }
    return elements;
  }

  private print(text: string): void {
    this.meter.print(text.length);
    this.surroundings.write('stdout', text);
  }
}

const notIterable = (value: ScriptValue): ScriptError =>
  new ScriptError('TypeError', `'${typeName(value)}' object is not iterable`);

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
