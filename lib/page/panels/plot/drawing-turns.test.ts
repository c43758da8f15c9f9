import { expect } from 'chai';
import { DrawingTurns } from './drawing-turns.js';

/** A clock that moves when told, and frames that come when told. */
class Screen {
  millis = 0;
  frames: (() => void)[] = [];
  readonly turns = new DrawingTurns({
    nowMillis: () => this.millis,
    onNextFrame: (draw) => void this.frames.push(draw),
  });

  frame(): void {
    for (const draw of this.frames.splice(0)) draw();
  }
}

describe('the drawing turns', () => {
  it('draw a plot once a frame, however often it asks', () => {
    const screen = new Screen();
    let count = 0;
    const draw = (): void => void count++;
    for (let k = 0; k < 100; k++) screen.turns.request(draw);
    expect(screen.frames).to.have.length(1);
    screen.frame();
    screen.frame();
    expect(count).to.equal(1);
  });

  it('leave no plot out when all of them take longer than a frame', () => {
    const screen = new Screen();
    const counts = Array.from({ length: 20 }, () => 0);
    const draws = counts.map((_, k) => () => {
      counts[k]!++;
      screen.millis += 3;
    });
    for (let frame = 0; frame < 70; frame++) {
      for (const draw of draws) screen.turns.request(draw);
      const before = screen.millis;
      screen.frame();
      expect(screen.millis - before).to.be.at.most(9);
    }
    expect(Math.min(...counts)).to.be.at.least(10);
    expect(Math.max(...counts)).to.be.at.most(12);
  });

  it('draw fewer plots a frame where painting is slow, and more again when it is not', () => {
    const screen = new Screen();
    let count = 0;
    const draws = Array.from({ length: 20 }, () => () => {
      count++;
      screen.millis += 1;
    });
    const drawnWhen = (paintMillis: number): number => {
      count = 0;
      for (const draw of draws) screen.turns.request(draw);
      screen.frame();
      screen.millis += paintMillis;
      return count;
    };
    expect(drawnWhen(8)).to.equal(8);
    for (let frame = 0; frame < 20; frame++) drawnWhen(60);
    expect(drawnWhen(60)).to.equal(1);
    for (let frame = 0; frame < 60; frame++) drawnWhen(8);
    expect(drawnWhen(8)).to.equal(8);
  });

  it('go on after a plot that failed', () => {
    const screen = new Screen();
    let isDrawn = false;
    screen.turns.request(() => {
      throw new Error('no canvas');
    });
    screen.turns.request(() => {
      isDrawn = true;
    });
    expect(() => screen.frame()).to.throw('no canvas');
    screen.frame();
    expect(isDrawn).to.equal(true);
  });

  it('forget a plot that was closed', () => {
    const screen = new Screen();
    const draw = (): void => expect.fail('drawn after its end');
    screen.turns.request(draw);
    screen.turns.cancel(draw);
    screen.frame();
  });
});
