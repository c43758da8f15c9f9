// When an event fires and what it does then, with conditions and actions of the test's own.
import { expect } from 'chai';
import type { Run } from '../interpreter/values.js';
import { type EventScript, TrickEvent } from './event.js';

const TICS = 1_000_000;

/** Conditions hold when they are in `holding`; actions are noted. */
class FakeScript implements EventScript {
  holding = new Set<string>();
  readonly done: string[] = [];

  // biome-ignore lint/correctness/useYield: this one never waits
  *holds(condition: string): Run<boolean> {
    return this.holding.has(condition);
  }
  // biome-ignore lint/correctness/useYield: this one never waits
  *act(action: string): Run<void> {
    this.done.push(action);
  }
}

describe('an event', () => {
  let event: TrickEvent;
  let script: FakeScript;
  /** A frame at a time: evaluates if it is the event's turn. */
  const frame = (seconds: number, ...holding: string[]): boolean => {
    script.holding = new Set(holding);
    const isTurn = event.takeTurn(Math.round(seconds * TICS), TICS);
    if (isTurn) for (const wait of event.process(seconds, script)) throw new Error(`waits for ${wait}`);
    return isTurn;
  };

  beforeEach(() => {
    event = new TrickEvent('e');
    script = new FakeScript();
    event.setCondition(0, 'a', '');
    event.setCondition(1, 'b', 'the second');
    event.setAction(0, 'first', '');
    event.setAction(1, 'second', '');
    event.isActive = true;
    event.add();
  });

  it('is evaluated only when it is added and active', () => {
    event.isAdded = false;
    expect(frame(1, 'a')).to.equal(false);
    event.add();
    event.isActive = false;
    expect(frame(2, 'a')).to.equal(false);
    expect(script.done).to.deep.equal([]);
  });

  it('fires once when any enabled condition holds, acts in order, and is inactive then', () => {
    frame(1);
    expect([event.firedCount, event.firedSeconds, event.isActive]).to.deep.equal([0, -1, true]);
    frame(2, 'b');
    frame(3, 'b');
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

  it('fires again when it has been activated again', () => {
    frame(1, 'a');
    event.isActive = true;
    frame(2, 'a');
    expect([event.firedCount, event.firedSeconds]).to.deep.equal([2, 2]);
  });

  it('stays active when one of its actions activates it', () => {
    // biome-ignore lint/correctness/useYield: this one never waits
    script.act = function* () {
      event.isActive = true;
    };
    frame(1, 'a');
    expect(event.isActive).to.equal(true);
  });

  it('looks at no condition that is disabled, and runs no action that is', () => {
    (event.conditions[0] as { isEnabled: boolean }).isEnabled = false;
    (event.actions[0] as { isEnabled: boolean }).isEnabled = false;
    frame(1, 'a');
    expect(event.firedCount).to.equal(0);
    frame(2, 'b');
    expect(script.done).to.deep.equal(['second']);
    expect(event.actions[0]?.ranCount).to.equal(0);
  });

  it('waits for all enabled conditions at once when it needs all', () => {
    event.needsAll = true;
    frame(1, 'a');
    frame(2, 'b');
    expect(event.firedCount).to.equal(0);
    frame(3, 'a', 'b');
    expect(event.firedSeconds).to.equal(3);
  });

  it('never fires without an enabled condition, even when it needs all', () => {
    event.needsAll = true;
    for (const condition of event.conditions) condition.isEnabled = false;
    frame(1, 'a', 'b');
    expect(event.firedCount).to.equal(0);
  });

  it('remembers a condition that holds on until it has fired', () => {
    event.needsAll = true;
    (event.conditions[0] as { holds: boolean }).holds = true;
    frame(1, 'a');
    expect([event.hold, event.conditions[0]?.firedCount]).to.deep.equal([true, 1]);
    frame(2);
    frame(3, 'b');
    expect([event.firedSeconds, event.hold]).to.deep.equal([3, false]);
    expect(event.conditions[0]?.firedSeconds).to.equal(1);
  });

  it('fires in manual mode only by hand, at the next frame, whatever its conditions', () => {
    event.isManual = true;
    event.isActive = false;
    expect(frame(1, 'a', 'b')).to.equal(false);
    event.isManuallyFired = true;
    frame(2);
    expect(script.done).to.deep.equal(['first', 'second']);
    expect([event.isManuallyFired, event.isManual, event.firedCount, event.ranCount]).to.deep.equal([
      false,
      true,
      0,
      1,
    ]);
    expect(frame(3, 'a')).to.equal(false);
  });

  it('is evaluated every frame without a cycle', () => {
    expect([0, 0.01, 0.02].map((seconds) => frame(seconds))).to.deep.equal([true, true, true]);
  });

  it('is evaluated at the first frame at or after each cycle, on the grid of the first', () => {
    event.cycleSeconds = 0.5;
    const turns = [1, 1.3, 1.6, 1.9, 2.1, 2.4, 2.5].filter((seconds) => frame(seconds));
    expect(turns).to.deep.equal([1, 1.6, 2.1, 2.5]);
  });

  it('goes on when simulation time goes back', () => {
    event.cycleSeconds = 0.5;
    expect([frame(10), frame(2), frame(2.1), frame(2.5)]).to.deep.equal([true, true, false, true]);
  });
});
