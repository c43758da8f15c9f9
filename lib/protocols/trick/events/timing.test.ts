// At which frames events are evaluated, and in which order.
import { expect } from 'chai';
import fc from 'fast-check';
import { TrickEvent } from './event.js';
import { EventTiming } from './timing.js';

const TICS = 1_000_000;

describe('the timing of events', () => {
  let timing: EventTiming;
  const late: string[] = [];
  const event = (name: string, cycleSeconds: number): TrickEvent => {
    const made = new TrickEvent(name);
    made.setCycle(cycleSeconds);
    return made;
  };
  const at = (seconds: number): string[] =>
    timing.due(Math.round(seconds * TICS), TICS, ({ name }) => late.push(name)).map(({ name }) => name);

  beforeEach(() => {
    timing = new EventTiming();
    late.length = 0;
  });

  it('begins with the first frame when there is none yet, otherwise with the next one', () => {
    timing.add(event('a', 1), -1);
    expect([at(0), at(0.5), at(1)]).to.deep.equal([['a'], [], ['a']]);
    timing.add(event('b', 1), 1 * TICS);
    expect([at(1), at(1.1), at(2), at(2.1)]).to.deep.equal([[], ['b'], ['a'], ['b']]);
  });

  it('takes the first frame at or after each cycle, on the grid of the first one', () => {
    timing.add(event('a', 0.5), -1);
    const turns = [1, 1.3, 1.6, 1.9, 2.1, 2.4, 2.5].filter((seconds) => at(seconds).length > 0);
    expect(turns).to.deep.equal([1, 1.6, 2.1, 2.5]);
  });

  it('has one turn at time 0 for an event without a cycle, and none later', () => {
    timing.add(event('once', 0), -1);
    expect([at(0), at(1)]).to.deep.equal([['once'], []]);
    timing.add(event('missed', 0), 1 * TICS);
    expect([at(2), late]).to.deep.equal([[], ['missed']]);
    timing.add(event('later', 0), -1);
    expect([at(3), late]).to.deep.equal([[], ['missed', 'later']]);
  });

  it('is in the order of times, and of the turns before at one time', () => {
    timing.add(event('half', 0.5), -1);
    timing.add(event('whole', 1), -1);
    expect([at(0), at(0.5), at(1)]).to.deep.equal([['half', 'whole'], ['half'], ['whole', 'half']]);
  });

  it('ends when an event is removed, and begins anew when it is added again', () => {
    const added = event('a', 1);
    timing.add(added, -1);
    timing.add(added, -1);
    expect(at(0)).to.deep.equal(['a']);
    timing.remove(added);
    expect(at(1)).to.deep.equal([]);
    timing.add(added, 1.2 * TICS);
    expect([at(1.3), at(2), at(2.3)]).to.deep.equal([['a'], [], ['a']]);
  });

  it('goes on when simulation time goes back', () => {
    timing.add(event('a', 0.5), -1);
    expect(at(10)).to.deep.equal(['a']);
    timing.restartAt(2 * TICS);
    expect([at(2), at(2.1), at(2.5)]).to.deep.equal([['a'], [], ['a']]);
  });

  it('knows the next time of the events that are meant', () => {
    timing.add(event('a', 0.5), -1);
    timing.add(event('b', 0.25), -1);
    at(0);
    expect(timing.nextTics(({ name }) => name === 'a')).to.equal(0.5 * TICS);
    expect(timing.nextTics(() => true)).to.equal(0.25 * TICS);
    expect(timing.nextTics(() => false)).to.equal(Number.POSITIVE_INFINITY);
  });

  it('has as many turns as whole cycles that begin within any frames', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 500 }), (cycle, frame) => {
        const every = new EventTiming();
        const one = event('a', cycle / 1000);
        every.add(one, -1);
        const frames = Array.from({ length: 100 }, (_, index) => index * frame * 1000);
        const turns = frames.filter((tics) => every.due(tics, TICS, () => undefined).length > 0);
        const expected = frames.filter(
          (tics, index) =>
            index === 0 || Math.floor(tics / (cycle * 1000)) > Math.floor((tics - frame * 1000) / (cycle * 1000)),
        );
        expect(turns).to.deep.equal(expected);
      }),
    );
  });
});
