// Runs the errands of a block: within it for the server's own texts, otherwise by the server while the block waits.

import { Errand, type Interpreter, type Run, ScriptError } from '../../python/index.js';
import { FireErrand, JobErrand, OrderErrand } from '../events/errands.js';
import type { SessionSurroundings } from './surroundings.js';

/**
 * Runs a computation, and each errand at its place in it.
 * @param depth how many errands this one is within.
 */
export function* withErrands(
  run: Run<void>,
  surroundings: SessionSurroundings,
  interpreter: Interpreter,
  depth = 0,
): Run<void> {
  try {
    let step = run.next();
    while (!step.done) {
      if (!(step.value instanceof Errand)) {
        yield step.value;
        step = run.next();
        continue;
      }
      try {
        const { callDepth } = interpreter.meter.limits;
        if (depth >= callDepth) throw new ScriptError('RecursionError', `events may fire each other ${callDepth} deep`);
        const errand = perform(step.value, surroundings, interpreter);
        yield* withErrands(errand, surroundings, interpreter, depth + 1);
      } catch (error) {
        step = run.throw(error);
        continue;
      }
      step = run.next();
    }
  } finally {
    // A block that is dropped in the middle gives back what its command holds.
    run.return();
  }
}

function* perform(errand: Errand, surroundings: SessionSurroundings, interpreter: Interpreter): Run<void> {
  const { elsewhere, firing } = surroundings.server;
  if (errand instanceof JobErrand) {
    const asked = yield* surroundings.ask(errand.request);
    errand.cycleSeconds = 'value' in asked && typeof asked.value === 'number' ? asked.value : undefined;
  } else if (errand instanceof OrderErrand && elsewhere) {
    surroundings.flush();
    const refused = ({ message }: Error): void => {
      errand.refusal = message;
    };
    yield elsewhere.order(errand.event.name, errand.order).catch(refused);
  } else if (errand instanceof FireErrand) {
    surroundings.flush();
    const { owner } = errand.event;
    if (surroundings.isShared && owner !== '' && owner !== surroundings.owner) firing.later(errand.event);
    // Texts of the server's own run errands within themselves, so that two of them can never wait for each other.
    else if (surroundings.isShared)
      yield* firing.here(errand.event, interpreter, (request) => surroundings.ask(request));
    else yield firing.elsewhere(errand.event, surroundings.owner);
  }
}
