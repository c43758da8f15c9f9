// Runs a block's tree: statements in order, under limits, reaching nothing but its surroundings.
import type * as tree from '../../../grammar/trick/index.js';
import { type Place, ScriptError } from './error.js';
import { Evaluator, isRun } from './evaluator.js';
import { importModules, importNames } from './imports.js';
import { includedFile } from './include.js';
import { Meter } from './meter.js';
import { binary } from './operators.js';
import type { IncludedBlock, Surroundings } from './scope.js';
import { DefinedFunction, isTrue, ListValue, type Run, type ScriptValue, TupleValue, typeName } from './values.js';

/** How a statement left its body. */
type Completion =
  | { readonly kind: 'next' | 'break' | 'continue' }
  | { readonly kind: 'return'; readonly value: ScriptValue };
const NEXT: Completion = { kind: 'next' };
const BREAK: Completion = { kind: 'break' };
const CONTINUE: Completion = { kind: 'continue' };

export class Interpreter {
  private readonly evaluator: Evaluator;
  private includeDepth = 0;
  /** Offset of the running statement in its text. */
  private at = 0;
  /** The file that the running statement was included from. */
  private included: IncludedBlock | undefined;

  constructor(
    private readonly surroundings: Surroundings,
    readonly meter: Meter = new Meter(),
  ) {
    this.evaluator = new Evaluator(surroundings, meter, (called, locals) => this.callDefined(called, locals));
  }

  /** Runs to the end, or until a ScriptError; yields whenever it has to wait. */
  *run(block: tree.Block): Run<void> {
    yield* this.runBody(block.body);
  }

  /** The value of one expression. */
  evaluate(expression: tree.Expression): Run<ScriptValue> {
    return this.evaluator.evaluate(expression);
  }

  /** Where the running statement stands; `file` and `text` are the block's own. */
  placeIn(file: string, text: string): Place {
    return placeOf(this.included ?? { file, text }, this.at);
  }

  private *runBody(body: readonly tree.Statement[]): Run<Completion> {
    for (const statement of body) {
      this.at = statement.at;
      try {
        const flow = yield* this.runStatement(statement);
        if (this.evaluator.waitsFor() !== undefined) yield* this.evaluator.giveWay();
        if (flow !== NEXT) return flow;
      } catch (error) {
        throw located(error, statement);
      }
    }
    return NEXT;
  }

  private *runStatement(statement: tree.Statement): Run<Completion> {
    this.meter.spend(1);
    switch (statement.kind) {
      case 'expression-statement':
        yield* this.runExpression(statement.value);
        return NEXT;
      case 'assignment':
        yield* this.assign(statement);
        return NEXT;
      case 'augmented-assignment':
        yield* this.augment(statement);
        return NEXT;
      case 'if':
        return yield* this.runIf(statement);
      case 'for':
        return yield* this.runFor(statement);
      case 'while':
        return yield* this.runWhile(statement);
      case 'break':
        return BREAK;
      case 'continue':
        return CONTINUE;
      case 'return':
        return { kind: 'return', value: statement.value ? yield* this.evaluator.evaluate(statement.value) : null };
      default:
        return yield* this.runDefinition(statement);
    }
  }

  private *runExpression(expression: tree.Expression): Run<void> {
    const included = this.surroundings.include && includedFile(expression);
    if (included !== undefined) return yield* this.include(included);
    const direct = expression.kind === 'call' ? this.evaluator.callDirectly(expression) : undefined;
    if (direct === undefined) yield* this.evaluator.evaluate(expression);
    else if (isRun(direct)) yield* direct;
  }

  /** Runs a file where it is included, with the names of that place. */
  private *include(name: string): Run<void> {
    const included = this.surroundings.include?.(name);
    if (!included) return;
    this.meter.spend(included.text.length / 64);
    if (this.includeDepth >= this.meter.limits.callDepth)
      throw new ScriptError('RecursionError', `files may include each other ${this.meter.limits.callDepth} deep`);
    this.includeDepth++;
    const outer = this.included;
    this.included = included;
    try {
      yield* this.runBody(included.tree.body);
    } catch (error) {
      throw placed(error, included);
    } finally {
      this.included = outer;
      this.includeDepth--;
    }
  }

  private *runDefinition(
    statement: tree.Import | tree.FromImport | tree.FunctionDefinition | tree.Pass | tree.Global,
  ): Run<Completion> {
    const { modules } = this.surroundings;
    const setName = (name: string, value: ScriptValue) => this.evaluator.names.set(name, value);
    if (statement.kind === 'import') importModules(statement, modules, setName);
    else if (statement.kind === 'from-import') importNames(statement, modules, setName);
    else if (statement.kind === 'function') yield* this.define(statement);
    else if (statement.kind === 'global') this.evaluator.names.declareGlobal(statement.names);
    return NEXT;
  }

  private *assign({ targets, value }: tree.Assignment): Run<void> {
    const result = yield* this.evaluator.evaluate(value);
    for (const target of targets) yield* this.store(target, result);
  }

  private *store(target: tree.Target, value: ScriptValue): Run<void> {
    if (target.kind !== 'tuple') {
      yield* this.evaluator.assignTo(target, value);
      return;
    }
    yield* this.evaluator.awaitElements(value);
    const items = this.unpack(value, target.items.length);
    for (const [index, item] of target.items.entries()) yield* this.store(item, items[index] as ScriptValue);
  }

  /** The items of a value, which must be as many as the targets. */
  private unpack(value: ScriptValue, count: number): readonly ScriptValue[] {
    const isList = value instanceof ListValue || value instanceof TupleValue;
    if (
      !isList &&
      (value === null || typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    ) {
      throw new ScriptError('TypeError', `cannot unpack non-iterable ${typeName(value)} object`);
    }
    const items = isList ? value.items : firstItems(this.evaluator.iterate(value), count + 1);
    if (items.length < count)
      throw new ScriptError('ValueError', `not enough values to unpack (expected ${count}, got ${items.length})`);
    if (items.length > count) throw new ScriptError('ValueError', `too many values to unpack (expected ${count})`);
    return items;
  }

  private *augment({ target, operator, value }: tree.AugmentedAssignment): Run<void> {
    const current = yield* this.evaluator.evaluate(target);
    const operand = yield* this.evaluator.evaluate(value);
    yield* this.evaluator.assignTo(target, binary(operator, current, operand, this.meter));
  }

  private *runIf({ branches, otherwise }: tree.If): Run<Completion> {
    for (const branch of branches) {
      if (isTrue(yield* this.evaluator.evaluate(branch.test))) return yield* this.runBody(branch.body);
    }
    return yield* this.runBody(otherwise);
  }

  private *runFor({ variable, iterable, body }: tree.For): Run<Completion> {
    const items = yield* this.evaluator.evaluate(iterable);
    yield* this.evaluator.awaitElements(items);
    for (const item of this.evaluator.iterate(items)) {
      this.evaluator.names.set(variable, item);
      const flow = yield* this.runBody(body);
      if (flow === BREAK) break;
      if (flow.kind === 'return') return flow;
    }
    return NEXT;
  }

  private *runWhile({ test, body }: tree.While): Run<Completion> {
    while (isTrue(yield* this.evaluator.evaluate(test))) {
      const flow = yield* this.runBody(body);
      if (flow === BREAK) break;
      if (flow.kind === 'return') return flow;
    }
    return NEXT;
  }

  private *define(definition: tree.FunctionDefinition): Run<void> {
    const defaults: (ScriptValue | undefined)[] = [];
    for (const parameter of definition.parameters) {
      defaults.push(parameter.default && (yield* this.evaluator.evaluate(parameter.default)));
    }
    this.evaluator.names.set(definition.name, new DefinedFunction(definition, defaults));
  }

  private *callDefined(called: DefinedFunction, locals: Map<string, ScriptValue>): Run<ScriptValue> {
    const flow = yield* this.evaluator.names.within(locals, () => this.runBody(called.definition.body));
    return flow.kind === 'return' ? flow.value : null;
  }
}

function firstItems(items: Iterable<ScriptValue>, most: number): ScriptValue[] {
  const first: ScriptValue[] = [];
  for (const item of items) if (first.push(item) >= most) break;
  return first;
}

/** Notes in an error which statement failed. A stack overflow becomes an error of the block. */
function located(error: unknown, { at }: tree.Statement): unknown {
  const shown = error instanceof RangeError ? new ScriptError('RecursionError', 'the block calls too deep') : error;
  if (shown instanceof ScriptError) shown.at ??= at;
  return shown;
}

function placed(error: unknown, included: IncludedBlock): unknown {
  if (error instanceof ScriptError) error.place ??= placeOf(included, error.at ?? 0);
  return error;
}

const placeOf = ({ file, text }: Pick<IncludedBlock, 'file' | 'text'>, at: number): Place => ({
  file,
  line: text.slice(0, at).split('\n').length,
});
