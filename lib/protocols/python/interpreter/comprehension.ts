// List comprehensions: loops inside each other, and the list that they make.
import type * as tree from '../grammar/index.js';
import type { Meter } from './meter.js';
import { MAX_ITEMS, takeList } from './operators.js';
import { isTrue, ListValue, type Run, type ScriptValue } from './values.js';

/** What a comprehension needs of the evaluator. */
interface Evaluation {
  readonly meter: Meter;
  readonly iteration: {
    awaitElements(value: ScriptValue): Run<void>;
    iterate(value: ScriptValue): Iterable<ScriptValue>;
  };
  evaluate(expression: tree.Expression): Run<ScriptValue>;
  bindTarget(target: tree.Target, value: ScriptValue): Run<void>;
}

export function* evaluateComprehension(
  { element, clauses }: tree.Comprehension,
  evaluation: Evaluation,
): Run<ScriptValue> {
  const made: ScriptValue[] = [];
  yield* runLoops(clauses, 0, evaluation, () => add(made, element, evaluation));
  return new ListValue(made);
}

function* add(made: ScriptValue[], element: tree.Expression, evaluation: Evaluation): Run<void> {
  const value = yield* evaluation.evaluate(element);
  if (made.length >= MAX_ITEMS) takeList(made.length + 1, evaluation.meter);
  evaluation.meter.allocate(16);
  made.push(value);
}

/** Runs the loops from one of them on, each inside the one before it. */
function* runLoops(
  clauses: readonly tree.ComprehensionClause[],
  index: number,
  evaluation: Evaluation,
  innermost: () => Run<void>,
): Run<void> {
  const clause = clauses[index];
  if (!clause) return yield* innermost();
  const { iteration, meter } = evaluation;
  const items = yield* evaluation.evaluate(clause.iterable);
  yield* iteration.awaitElements(items);
  for (const value of iteration.iterate(items)) {
    if (meter.isTurnOver) yield 'turn';
    yield* evaluation.bindTarget(clause.target, value);
    if (yield* areMet(clause.conditions, evaluation)) yield* runLoops(clauses, index + 1, evaluation, innermost);
  }
}

function* areMet(conditions: readonly tree.Expression[], evaluation: Evaluation): Run<boolean> {
  for (const condition of conditions) if (!isTrue(yield* evaluation.evaluate(condition))) return false;
  return true;
}
