// What is said of an event whose conditions and actions fail.
import { expect } from 'chai';
import type { Decision } from '../../../source/source.js';
import { ConditionKind, type TrickEvent } from '../events/event.js';
import { EventTable } from '../events/event-table.js';
import { EventEvaluation } from './event-evaluation.js';

describe('an event that fails', () => {
  let said: string[];
  let event: TrickEvent;
  let evaluation: EventEvaluation;

  beforeEach(() => {
    said = [];
    const server = { canWait: () => true, follow: () => undefined, changed: () => undefined, isVariable: () => true };
    const say = (text: string) => said.push(text);
    const events = new EventTable({ ...server, accountOf: () => undefined, say, timeTics: () => 0 });
    event = events.create('e', '') as TrickEvent;
    event.isActive = true;
    events.add(event);
    const owner = { surroundings: {} as never, settleNames: () => undefined };
    evaluation = new EventEvaluation(
      events,
      () => owner,
      () => undefined,
    );
  });

  /** Evaluates it with what the simulation says of its first condition; a job answers with a value or a refusal. */
  const evaluate = (decision: Decision, answer: { value: unknown } | { refusal: string } = { value: true }): void => {
    const [condition] = event.conditions;
    const decided = condition && new Map([[condition, decision]]);
    const interpreter = { as: (_: unknown, run: unknown) => run, meter: { allocatedBytes: 0 } };
    const ask = () => ({ [Symbol.iterator]: () => ({ next: () => ({ done: true, value: answer }) }) });
    const run = evaluation.run(event, 0, interpreter as never, ask as never, decided);
    while (!run.next().done);
  };

  it('says so once, and again when it has been well meanwhile: decided by the simulation', () => {
    event.setCondition(0, 'fx.i > fx.gone', '');
    for (const decision of ['fx.gone is not there', 'fx.gone is not there', false, 'fx.gone is not there', 'another'])
      evaluate(decision);
    const failed = 'event e failed:\n';
    expect(said).to.deep.equal(
      ['fx.gone is not there', 'fx.gone is not there', 'another'].map((message) => failed + message),
    );
  });

  it('says so once, and again when it has been well meanwhile: answered by a job', () => {
    event.setCondition(0, 'probe.isReady', '', ConditionKind.job);
    const refused = { refusal: 'probe.isReady has failed' };
    for (const answer of [refused, refused, { value: false }, refused]) evaluate(null, answer);
    expect(said).to.deep.equal(Array(2).fill('event e failed:\nprobe.isReady has failed'));
  });
});
