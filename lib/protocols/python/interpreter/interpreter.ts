// Runs a block's tree: statements in order, under limits, reaching nothing but its host.

import { UnitsError } from '../../../model/units/index.js';
import type * as tree from '../grammar/index.js';
import { exceptionOf, isOneOf, raised } from './classes.js';
import { DefinedClass, OBJECT_CLASS, superOf } from './defined-class.js';
import { BlockStopped, ScriptError, type SourceLine } from './error.js';
import { Evaluator, isRun } from './evaluator.js';
import { loadModule, packageOf } from './file-module.js';
import type { Host } from './host.js';
import { type Importing, importModules, importNames } from './imports.js';
import { Meter } from './meter.js';
import type { OwnedNames } from './name-table.js';
import { textOf } from './text-of.js';
import { typeName } from './type-name.js';
import {
  ClassValue,
  DefinedFunction,
  type IncludedBlock,
  isObject,
  isTrue,
  type ModuleScope,
  type Run,
  type ScriptValue,
  type SourceText,
} from './values.js';

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
  /** The errors whose handlers are running, innermost last. */
  private readonly handled: ScriptError[] = [];
  /** Offset of the running statement in its text. */
  private at = 0;
  /** The file that the running statement stands in, where it is not the block's own text. */
  private source: SourceText | undefined;

  constructor(
    private readonly host: Host,
    readonly meter: Meter = new Meter(),
  ) {
    this.evaluator = new Evaluator(host, meter, {
      callDefined: (called, locals) => this.callDefined(called, locals),
      include: (block, isGlobal) => this.include(block, isGlobal),
    });
  }

  /** Runs to the end, or until a ScriptError; yields whenever it has to wait. @param source of a text that is a file. */
  *run(block: tree.Block, source?: SourceText): Run<void> {
    this.source = source;
    yield* this.runBody(block.body);
  }

  /** The value of one expression. */
  evaluate(expression: tree.Expression): Run<ScriptValue> {
    return this.evaluator.evaluate(expression);
  }

  /** Where the running statement stands; `file` and `text` are the block's own. */
  placeIn(file: string, text: string): SourceLine {
    return placeOf(this.source ?? { file, text }, this.at);
  }

  private *runBody(body: readonly tree.Statement[]): Run<Completion> {
    for (const statement of body) {
      this.at = statement.at;
      try {
        let flow = NEXT;
        if (statement.kind === 'expression-statement') {
          const rest = this.beginExpression(statement.value);
          if (rest) yield* rest;
        } else flow = yield* this.runStatement(statement);
        if (this.evaluator.waitsFor() !== undefined) yield* this.evaluator.giveWay();
        if (flow !== NEXT) return flow;
      } catch (error) {
        throw located(error, statement);
      }
    }
    return NEXT;
  }

  private *runStatement(statement: Exclude<tree.Statement, tree.ExpressionStatement>): Run<Completion> {
    this.meter.spend(1);
    switch (statement.kind) {
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
      case 'pass':
        return NEXT;
      case 'return':
        return { kind: 'return', value: statement.value ? yield* this.evaluator.evaluate(statement.value) : null };
      case 'with':
        return yield* this.runWith(statement, 0);
      case 'try':
        return yield* this.runTry(statement);
      case 'raise':
        return yield* this.raise(statement);
      case 'assert':
        return yield* this.assert(statement);
      case 'delete':
        for (const target of statement.targets) yield* this.evaluator.deleteTarget(target);
        return NEXT;
      default:
        return yield* this.runDefinition(statement);
    }
  }

  /** `finally` runs however the rest has ended, unless the block has used up a limit. */
  private *runTry(statement: tree.Try): Run<Completion> {
    let flow: Completion = NEXT;
    let failure: ScriptError | undefined;
    try {
      flow = yield* this.runHandled(statement);
    } catch (error) {
      failure = catchable(error);
    }
    if (failure) yield* this.evaluator.giveWay();
    const last = yield* this.runBody(statement.final);
    if (last !== NEXT) return last;
    if (failure) throw failure;
    return flow;
  }

  private *runHandled({ body, handlers, otherwise }: tree.Try): Run<Completion> {
    let flow: Completion = NEXT;
    let failure: ScriptError | undefined;
    try {
      flow = yield* this.runBody(body);
    } catch (error) {
      failure = catchable(error);
    }
    // A body that failed has not given way to others yet.
    if (failure) yield* this.evaluator.giveWay();
    if (failure) return yield* this.handle(failure, handlers);
    return flow === NEXT ? yield* this.runBody(otherwise) : flow;
  }

  /** Runs the first handler that fits an error, or throws the error again. */
  private *handle(error: ScriptError, handlers: readonly tree.Handler[]): Run<Completion> {
    for (const { types, name, body } of handlers) {
      if (types && !isOneOf(error.kind, yield* this.evaluator.evaluate(types), this.meter)) continue;
      if (name !== undefined) this.evaluator.names.set(name, exceptionOf(error));
      this.handled.push(error);
      try {
        return yield* this.runBody(body);
      } finally {
        this.handled.pop();
        // As in Python, the handler may have deleted the name.
        if (name !== undefined && this.evaluator.names.find(name) !== undefined) this.evaluator.names.delete(name);
      }
    }
    throw error;
  }

  private *raise({ value, cause }: tree.Raise): Run<never> {
    const again = this.handled.at(-1);
    if (!value) throw again ?? new ScriptError('RuntimeError', 'No active exception to reraise');
    const error = yield* raised(yield* this.evaluator.evaluate(value), this.evaluator.tools);
    if (cause) yield* this.evaluator.evaluate(cause);
    throw error;
  }

  private *assert({ test, message }: tree.Assert): Run<Completion> {
    if (isTrue(yield* this.evaluator.evaluate(test))) return NEXT;
    const said = message && (yield* textOf(yield* this.evaluator.evaluate(message), this.evaluator.tools));
    throw new ScriptError('AssertionError', said ?? '');
  }

  /**
   * Runs an expression as a statement; what is returned runs the rest of it. A command with its literals, which clients
   * send by the thousand, needs no generator.
   */
  private beginExpression(expression: tree.Expression): Run<unknown> | undefined {
    this.meter.spend(1);
    const direct = expression.kind === 'call' ? this.evaluator.callDirectly(expression) : undefined;
    if (direct === undefined) return this.evaluator.evaluate(expression);
    return isRun(direct) ? this.counted(direct) : undefined;
  }

  private *counted(call: Run<ScriptValue>): Run<void> {
    yield* call;
    this.meter.called();
  }

  /** Runs a text of another owner with that owner's names. */
  as<T>(owner: OwnedNames, run: Run<T>): Run<T> {
    return this.evaluator.names.as(owner, run);
  }

  /** Runs a file's text where it is included, with the names of that place or of the whole text. */
  private *include(block: IncludedBlock, isGlobal: boolean): Run<void> {
    this.meter.spend(block.text.length / 64);
    const { callDepth } = this.meter.limits;
    if (this.includeDepth >= callDepth)
      throw new ScriptError('RecursionError', `files may include each other ${callDepth} deep`);
    this.includeDepth++;
    try {
      const { names } = this.evaluator;
      const body = this.runBody(block.tree.body);
      yield* this.within(block, isGlobal ? names.as(names.owner, body) : body);
    } finally {
      this.includeDepth--;
    }
  }

  /** Runs statements of another text; their errors tell its name and line. */
  private *within<T>(source: SourceText | undefined, run: Run<T>): Run<T> {
    const outer = this.source;
    this.source = source;
    try {
      return yield* run;
    } catch (error) {
      throw source ? placed(error, source) : error;
    } finally {
      this.source = outer;
    }
  }

  private *runDefinition(
    statement: tree.Import | tree.FromImport | tree.FunctionDefinition | tree.ClassDefinition | tree.Global,
  ): Run<Completion> {
    if (statement.kind === 'import') yield* importModules(statement, this.importing());
    else if (statement.kind === 'from-import') yield* importNames(statement, this.importing());
    else if (statement.kind === 'function') yield* this.define(statement);
    else if (statement.kind === 'class') yield* this.defineClass(statement);
    else if (statement.kind === 'global') this.evaluator.names.declareGlobal(statement.names);
    return NEXT;
  }

  private importing(): Importing {
    const { modules, importable = [], files } = this.host;
    const { names } = this.evaluator;
    const run = (scope: ModuleScope, block: IncludedBlock): Run<void> => names.as(scope, this.include(block, false));
    return {
      modules: new Map([...modules, ...importable]),
      setName: (name, value) => names.set(name, value),
      packageName: () => packageOf(names.moduleScope),
      *load(name) {
        return files && (yield* loadModule(name, files, run));
      },
    };
  }

  private *assign({ targets, value }: tree.Assignment): Run<void> {
    const result = yield* this.evaluator.evaluate(value);
    for (const target of targets) yield* this.evaluator.bindTarget(target, result);
  }

  private *augment({ target, operator, value }: tree.AugmentedAssignment): Run<void> {
    const current = yield* this.evaluator.evaluate(target);
    const operand = yield* this.evaluator.evaluate(value);
    yield* this.evaluator.assignTo(target, yield* this.evaluator.augment(operator, current, operand));
  }

  private *runIf({ branches, otherwise }: tree.If): Run<Completion> {
    for (const branch of branches) {
      if (isTrue(yield* this.evaluator.evaluate(branch.test))) return yield* this.runBody(branch.body);
    }
    return yield* this.runBody(otherwise);
  }

  private *runFor({ target, iterable, body }: tree.For): Run<Completion> {
    const items = yield* this.evaluator.evaluate(iterable);
    yield* this.evaluator.iteration.awaitElements(items);
    for (const item of this.evaluator.iteration.iterate(items)) {
      if (target.kind === 'name') this.evaluator.names.set(target.name, item);
      else yield* this.evaluator.bindTarget(target, item);
      const flow = yield* this.runBody(body);
      if (flow === BREAK) break;
      if (flow.kind === 'return') return flow;
    }
    return NEXT;
  }

  /** Enters the objects from the one at an index on, and leaves them when the body has ended, however it has. */
  private *runWith(statement: tree.With, index: number): Run<Completion> {
    const item = statement.items[index];
    if (!item) return yield* this.runBody(statement.body);
    const entered = yield* this.evaluator.evaluate(item.context);
    if (!isObject(entered) || !entered.leave)
      throw new ScriptError('TypeError', `'${typeName(entered)}' object does not support the context manager protocol`);
    if (item.name !== undefined) this.evaluator.names.set(item.name, entered);
    try {
      return yield* this.runWith(statement, index + 1);
    } finally {
      entered.leave();
    }
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
    const { names } = this.evaluator;
    const origin = { source: this.source, scope: names.moduleScope, owner: names.runningClass };
    names.set(definition.name, new DefinedFunction(definition, defaults, origin));
  }

  private *defineClass({ name, bases, body }: tree.ClassDefinition): Run<void> {
    const above: ScriptValue[] = [];
    for (const base of bases) above.push(yield* this.evaluator.evaluate(base));
    const { names } = this.evaluator;
    const defined = new DefinedClass(name, baseOf(name, above));
    yield* names.inClass(defined, () => this.runBody(body));
    defined.check();
    names.set(name, defined);
  }

  private *callDefined(called: DefinedFunction, locals: Map<string, ScriptValue>): Run<ScriptValue> {
    const { names } = this.evaluator;
    const { source, scope, owner } = called.origin;
    if (owner instanceof DefinedClass) locals.set('super', superOf(owner, [...locals.values()][0] ?? null));
    const run = this.within(
      source,
      names.within(locals, () => this.runBody(called.definition.body)),
    );
    const flow = yield* scope ? names.as(scope, run) : run;
    return flow.kind === 'return' ? flow.value : null;
  }
}

/** The class from which a class is derived. */
function baseOf(name: string, above: readonly ScriptValue[]): DefinedClass {
  const [base = OBJECT_CLASS] = above;
  if (above.length <= 1 && base instanceof DefinedClass) return base;
  const problem = above.length > 1 ? 'more than one class' : base instanceof ClassValue ? base.name : typeName(base);
  throw new ScriptError('TypeError', `${name} can be derived from one class that a text defines, not from ${problem}`);
}

/** The error as a block may catch it; throws it again when it may not. */
function catchable(error: unknown): ScriptError {
  if (error instanceof BlockStopped || !(error instanceof ScriptError)) throw error;
  return error;
}

/** Notes in an error which statement failed. Units that do not convert and a stack overflow become errors of the block. */
function located(error: unknown, { at }: tree.Statement): unknown {
  let shown = error;
  if (error instanceof UnitsError) shown = new ScriptError('TypeError', error.message);
  else if (error instanceof RangeError) shown = new ScriptError('RecursionError', 'the block calls too deep');
  if (shown instanceof ScriptError) shown.at ??= at;
  return shown;
}

function placed(error: unknown, source: SourceText): unknown {
  if (error instanceof ScriptError) error.place ??= placeOf(source, error.at ?? 0);
  return error;
}

const placeOf = ({ file, text }: SourceText, at: number): SourceLine => ({
  file,
  line: text.slice(0, at).split('\n').length,
});
