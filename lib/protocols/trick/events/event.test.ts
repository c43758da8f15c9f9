// When an event fires and what it does then, with conditions and actions of the test's own.
import { expect } from 'chai';
import type { Run } from '../../python/index.js';
import { type EventAction, type EventCondition, type EventScript, TrickEvent } from './event.js';

/** Conditions hold when they are in `holding`; actions are noted. */
class FakeScript implements EventScript {
  holding = new Set<string>();
  readonly done: string[] = [];

  // biome-ignore lint/correctness/useYield: this one never waits
  *holds({ text }: EventCondition): Run<boolean> {
    return this.holding.has(text);
  }
  // biome-ignore lint/correctness/useYield: this one never waits
  *act({ text }: EventAction): Run<void> {
    this.done.push(text);
  }
}

describe('an event', () => {
  let event: TrickEvent;
  let script: FakeScript;
  const turn = (seconds: number, ...holding: string[]): void => {
    script.holding = new Set(holding);
    for (const wait of event.process(seconds, script)) throw new Error(`waits for ${String(wait)}`);
  };
  const condition = (index: number) => event.conditions[index] as EventCondition;

  beforeEach(() => {
    event = new TrickEvent('e');
    script = new FakeScript();
    event.setCondition(0, 'a', '');
    event.setCondition(1, 'b', 'the second');
    event.setAction(0, 'first', '');
    event.setAction(1, 'second', '');
    event.isActive = true;
  });

  it('is evaluated every second and needs one condition, unless it is told otherwise', () => {
    expect([event.cycleSeconds, event.cycleTics(1_000_000), event.needsAll]).to.deep.equal([1, 1_000_000, false]);
    event.setCycle(0.25);
    expect(event.cycleTics(1_000_000)).to.equal(250_000);
  });

  it('fires once when any enabled condition holds, acts in order, and is inactive then', () => {
    turn(1);
    expect([event.firedCount, event.firedSeconds, event.isActive]).to.deep.equal([0, -1, true]);
    turn(2, 'b');
    expect(script.done).to.deep.equal(['first', 'second']);
    expect([event.firedCount, event.firedSeconds, event.ranCount, event.ranSeconds]).to.deep.equal([1, 2, 1, 2]);
    expect(event.isActive).to.equal(false);
    expect(event.conditions.map(({ firedCount, firedSeconds }) => [firedCount, firedSeconds])).to.deep.equal([
      [0, -1],
      [1, 2],
    ]);
    expect(event.actions.map(({ ranCount, ranSeconds }) => [ranCount, ranSeconds])).to.deep.equal([
      [1, 2],
      [1, 2],
    ]);
  });

  it('stays active when one of its actions activates it', () => {
    // biome-ignore lint/correctness/useYield: this one never waits
    script.act = function* () {
      event.isActive = true;
    };
    turn(1, 'a');
    expect(event.isActive).to.equal(true);
  });

  it('looks at no condition that is disabled, and runs no action that is', () => {
    condition(0).isEnabled = false;
    (event.actions[0] as EventAction).isEnabled = false;
    turn(1, 'a');
    expect(event.firedCount).to.equal(0);
    turn(2, 'b');
    expect(script.done).to.deep.equal(['second']);
    expect(event.actions.map(({ ranCount, hasRun }) => [ranCount, hasRun])).to.deep.equal([
      [0, false],
      [1, true],
    ]);
  });

  it('counts as run only if an action has run', () => {
    for (const action of event.actions) action.isEnabled = false;
    turn(1, 'a');
    expect([event.firedCount, event.ranCount, event.ranSeconds, event.hasRun]).to.deep.equal([1, 0, -1, false]);
  });

  it('waits for all enabled conditions at once when it needs all, also when the first is disabled', () => {
    event.needsAll = true;
    turn(1, 'a');
    turn(2, 'b');
    expect(event.firedCount).to.equal(0);
    turn(3, 'a', 'b');
    expect(event.firedSeconds).to.equal(3);
    condition(0).isEnabled = false;
    turn(4, 'b');
    expect(event.firedSeconds).to.equal(4);
  });

  it('never fires without an enabled condition, even when it needs all', () => {
    event.needsAll = true;
    for (const each of event.conditions) each.isEnabled = false;
    turn(1, 'a', 'b');
    expect(event.firedCount).to.equal(0);
  });

  it('fires on for a condition that holds on, until hold is off', () => {
    condition(0).holds = true;
    turn(1, 'a');
    expect([event.hold, event.hasFired, condition(0).firedCount]).to.deep.equal([true, true, 1]);
    turn(2);
    turn(3);
    expect([event.firedCount, condition(0).firedCount, condition(0).firedSeconds]).to.deep.equal([3, 1, 1]);
    condition(0).holds = false;
    turn(4);
    expect([event.firedCount, event.hold, event.hasFired]).to.deep.equal([3, false, false]);
  });

  it('holds when all of its conditions do, if it needs all', () => {
    event.needsAll = true;
    condition(0).holds = true;
    turn(1, 'a');
    expect([event.hold, event.firedCount]).to.deep.equal([false, 0]);
    condition(1).holds = true;
    turn(2, 'b');
    expect([event.hold, event.firedCount, condition(0).firedSeconds]).to.deep.equal([true, 1, 1]);
  });

  it('acts each time while it is on by hand, and stays active', () => {
    event.manualOn();
    expect([event.isManual, event.isManuallyFired, event.hold]).to.deep.equal([true, true, true]);
    for (const seconds of [1, 2, 3]) turn(seconds);
    expect([event.firedCount, event.ranCount, event.firedSeconds, event.isActive]).to.deep.equal([3, 3, 3, true]);
    expect(condition(0).firedCount).to.equal(0);
  });

  it('does nothing while it is off by hand, and looks at its conditions when that is done', () => {
    event.manualOff();
    expect([event.isManual, event.isManuallyFired, event.hold]).to.deep.equal([true, false, false]);
    turn(1, 'a', 'b');
    expect(event.firedCount).to.equal(0);
    event.manualDone();
    expect(event.isManual).to.equal(false);
    turn(2, 'a');
    expect(event.firedCount).to.equal(1);
  });

  it('acts once when it is fired by hand, counted, and is as active as before', () => {
    for (const isActive of [true, false]) {
      event.isActive = isActive;
      event.manualFire();
      turn(1);
      expect([event.isActive, event.isManual, event.isManuallyFired]).to.deep.equal([isActive, true, false]);
    }
    expect([event.firedCount, event.ranCount]).to.deep.equal([2, 2]);
    turn(2, 'a');
    expect(event.firedCount).to.equal(2);
  });

  it('keeps the counts of a condition or action that is set again, and nothing else of it', () => {
    condition(0).holds = true;
    turn(1, 'a');
    condition(0).isEnabled = false;
    event.setCondition(0, 'c', 'again');
    event.setAction(0, 'third', 'again');
    const { text, comment, isEnabled, holds, hasFired, firedCount, firedSeconds } = condition(0);
    expect([text, comment, isEnabled, holds, hasFired]).to.deep.equal(['c', 'again', true, false, false]);
    expect([firedCount, firedSeconds]).to.deep.equal([1, 1]);
    const action = event.actions[0] as EventAction;
    expect([action.text, action.ranCount, action.ranSeconds, action.hasRun]).to.deep.equal(['third', 1, 1, false]);
  });

  it('has the first 50 characters of a text as its comment, unless there is one', () => {
    event.setCondition(0, 'x'.repeat(60), '');
    event.setAction(0, 'y'.repeat(60), 'mine');
    expect(condition(0).comment).to.equal('x'.repeat(50));
    expect(event.actions[0]?.comment).to.equal('mine');
  });
});
