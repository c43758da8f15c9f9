// Runs a block's tree: statements in order, under limits, reaching nothing but its surroundings.
import type * as tree from '../../../grammar/trick/index.js';
import { BlockedEvaluator } from './evaluator.js';
import { ScriptError } from './error.js';
import { binary } from './operators.js';
import { BLOCK_LIMITS, type Limits, type Surroundings } from './scope.js';
import { isTrue, type Run, TupleValue, ListValue, type Value, DefinedFunction } from './values.js';

/** How a statement left its body. */
type Flow = { readonly kind: 'next' | 'break' | 'continue' } | { readonly kind: 'return'; readonly value: Value };
const NEXT: Flow = { kind: 'next' };
const BREAK: Flow = { kind: 'break' };
const CONTINUE: Flow = { kind: 'continue' };

/** Modules whose import means nothing more than that their names exist. */
const IMPORTABLE = new Set(['sys', 'math', 'os', 'trick']);

export class Interpreter {
  private readonly evaluator: BlockedEvaluator;

  constructor(
    private readonly surroundings: Surroundings,
    limits: Limits = BLOCK_LIMITS,
    nowMillis: () => number = () => performance.now(),
  ) {
    this.evaluator = new BlockedEvaluator(surroundings, limits, nowMillis, (called, args) => this.callDefined(called, args));
  }

  /** Runs to the end, or until a ScriptError; yields whenever the session's writes must become visible first. */
  *run(block: tree.Block): Run<void> {
    yield* this.runBody(block.body);
  }

  private *runBody(body: readonly tree.Statement[]): Run<Flow> {
    for (const statement of body) {
      this.evaluator.step();
      try {
        const flow = yield* this.runStatement(statement);
        if (flow !== NEXT) return flow;
      } catch (error) {
        if (error instanceof ScriptError) error.at ??= statement.at;
        throw error;
      }
    }
    return NEXT;
  }

  private *runStatement(statement: tree.Statement): Run<Flow> {
    switch (statement.kind) {
      case 'expression-statement':
        yield* this.evaluator.evaluate(statement.value);
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

  private *runDefinition(statement: tree.Import | tree.FromImport | tree.FunctionDefinition | tree.Pass | tree.Global): Run<Flow> {
    if (statement.kind === 'import') this.importModules(statement);
    else if (statement.kind === 'from-import') this.importNames(statement);
    else if (statement.kind === 'function') yield* this.define(statement);
    else if (statement.kind === 'global') this.evaluator.declareGlobal(statement.names);
    return NEXT;
  }

  private *assign({ targets, value }: tree.Assignment): Run<void> {
    const result = yield* this.evaluator.evaluate(value);
    for (const target of targets) yield* this.store(target, result);
  }

  private *store(target: tree.Target, value: Value): Run<void> {
    if (target.kind !== 'tuple') {
      yield* this.evaluator.assignTo(target, value);
      return;
    }
    const items = value instanceof ListValue || value instanceof TupleValue ? value.items : undefined;
    if (items?.length !== target.items.length) {
      throw new ScriptError('ValueError', `${target.items.length} values expected to unpack, not ${items?.length ?? 'one'}`);
    }
    for (const [index, item] of target.items.entries()) yield* this.store(item, items[index] as Value);
  }

  private *augment({ target, operator, value }: tree.AugmentedAssignment): Run<void> {
    const current = yield* this.evaluator.evaluate(target);
    const operand = yield* this.evaluator.evaluate(value);
    yield* this.evaluator.assignTo(target, binary(operator, current, operand));
  }

  private *runIf({ branches, otherwise }: tree.If): Run<Flow> {
    for (const branch of branches) {
      if (isTrue(yield* this.evaluator.evaluate(branch.test))) return yield* this.runBody(branch.body);
    }
    return yield* this.runBody(otherwise);
  }

  private *runFor({ variable, iterable, body }: tree.For): Run<Flow> {
    for (const item of this.evaluator.iterate(yield* this.evaluator.evaluate(iterable))) {
      this.evaluator.step();
      this.evaluator.setName(variable, item);
      const flow = yield* this.runBody(body);
      if (flow === BREAK) break;
      if (flow.kind === 'return') return flow;
    }
    return NEXT;
  }

  private *runWhile({ test, body }: tree.While): Run<Flow> {
    while (isTrue(yield* this.evaluator.evaluate(test))) {
      this.evaluator.step();
      const flow = yield* this.runBody(body);
      if (flow === BREAK) break;
      if (flow.kind === 'return') return flow;
    }
    return NEXT;
  }

  private *define(definition: tree.FunctionDefinition): Run<void> {
    const defaults: (Value | undefined)[] = [];
    for (const parameter of definition.parameters) {
      defaults.push(parameter.default && (yield* this.evaluator.evaluate(parameter.default)));
    }
    this.evaluator.setName(definition.name, new DefinedFunction(definition, defaults));
  }

  private *callDefined(called: DefinedFunction, locals: Map<string, Value>): Run<Value> {
    const flow = yield* this.evaluator.within(locals, () => this.runBody(called.definition.body));
    return flow.kind === 'return' ? flow.value : null;
  }

  private importModules({ modules }: tree.Import): void {
    for (const { name, alias } of modules) {
      const top = name.split('.')[0] as string;
      const module = this.surroundings.modules.get(top);
      if (!module && !IMPORTABLE.has(top)) throw new ScriptError('ImportError', `No module named '${name}'`);
      if (module) this.evaluator.setName(alias ?? top, module);
    }
  }

  private importNames({ module: moduleName, names }: tree.FromImport): void {
    const module = this.surroundings.modules.get(moduleName.split('.')[0] as string);
    if (!module) throw new ScriptError('ImportError', `No module named '${moduleName}'`);
    for (const { name, alias } of names) {
      if (name === '*') continue;
      const value = module.attribute(name);
      if (value === undefined) throw new ScriptError('ImportError', `cannot import name '${name}' from '${moduleName}'`);
      this.evaluator.setName(alias ?? name, value);
    }
  }
}
