import { expect } from 'chai';
import { CHANGE_MILLIS, ChangeMarks } from './change-marks.js';

describe('a row that changes', () => {
  it('is marked for a while, but not when it is shown first', () => {
    let now = 0;
    const marks = new ChangeMarks(() => now);
    marks.note('ball.mass', '1');
    expect(marks.isFresh('ball.mass')).to.equal(false);
    marks.note('ball.mass', '2');
    expect(marks.isFresh('ball.mass')).to.equal(true);
    now += CHANGE_MILLIS;
    expect(marks.isFresh('ball.mass')).to.equal(false);
    marks.note('ball.mass', '3');
    marks.forget('ball.mass');
    expect(marks.isFresh('ball.mass')).to.equal(false);
  });
});
