// Loop lag: the worst is reported and later forgotten, and the log gets it once a second at most.
import { expect } from 'chai';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { LoopLag } from './loop-lag.js';

describe('the lag of the event loop', () => {
  let clock: ManualClock;
  let told: number[];
  let lag: LoopLag;

  beforeEach(() => {
    clock = new ManualClock(0);
    told = [];
    lag = new LoopLag(clock, (millis) => told.push(millis));
    lag.start();
    lag.start();
  });

  it('is nothing while everything comes in time', () => {
    clock.advance(1000);
    expect([lag.worstMillis, told, clock.pending]).to.deep.equal([0, [], 1]);
  });

  it('is the worst of the last ten seconds', () => {
    clock.leap(50 + 30);
    clock.leap(50 + 70);
    expect(lag.worstMillis).to.equal(70);
    clock.advance(9_000);
    expect(lag.worstMillis).to.equal(70);
    clock.advance(2_000);
    expect(lag.worstMillis).to.equal(0);
  });

  it('is told when it is long, once a second at most', () => {
    for (let time = 0; time < 3; time++) clock.leap(50 + 200);
    expect(told).to.deep.equal([200]);
    clock.leap(50 + 600);
    expect(told).to.deep.equal([200, 600]);
  });

  it('is not measured while nobody is there to feel it', () => {
    lag.stop();
    expect(clock.pending).to.equal(0);
  });
});
