// Samples of a large state, whose frames carry only what has been asked for lately.
import { expect } from 'chai';
import { TestBall } from '../../testing/aids/http-ball.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { Reference } from '../session/reference.js';
import { SessionRegistry } from '../session/registry.js';
import { History } from './history.js';

describe('samples of a large state', () => {
  it('are taken of the next frame when the one that is due does not carry the value', async () => {
    const ball = new TestBall();
    let isAsked = false;
    ball.onFrame((frame) => {
      const isCarried = isAsked;
      isAsked = false;
      frame.carriesAll = () => {
        isAsked = true;
        return isCarried;
      };
    });
    const registry = new SessionRegistry(ball, new ManualClock());
    const history = new History(registry);
    const height = new Reference(ball, 'ball.position[1]');
    history.keep(registry.ledger.open('reader'), [height], 100);
    ball.ticks(100);
    const kept = await history.points(height.path, 0, 1e9, 1000);
    expect(kept!.times.length).to.be.within(10, 12);
    history.close();
  });
});
