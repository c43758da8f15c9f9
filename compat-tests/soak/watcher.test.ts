// When a watcher has missed messages, or shows what is not so.
import { expect } from 'chai';
import { demandCourse, demandSteps, Succession } from './ball-course.js';
import { Logbook } from './logbook.js';
import { Completeness, type Moment, type Watcher } from './watcher.js';

const MOMENT: Moment = { returns: 1, frameCount: 7 };

const taken = (...numbers: readonly number[]): Succession => {
  const succession = new Succession();
  for (const number of numbers) succession.take(number);
  return succession;
};

describe('the messages of a watcher', () => {
  it('are all there when each number comes, if it comes again, too', () => {
    expect(taken(7, 8, 8, 9)).to.include({ missing: 0, wentBack: 0 });
  });

  it('are counted as missing in a gap, and when a message says that some were left out', () => {
    expect(taken(7, 9, 12)).to.include({ missing: 3, wentBack: 0 });
    const told = taken(7);
    told.take(8, 1);
    told.take(11, 2);
    expect(told.missing).to.equal(3);
  });

  it('go back when time does', () => {
    const twice = taken(700, 3, 4, 4, 5, 2);
    expect(twice).to.include({ missing: 0, wentBack: 2 });
    expect([twice.hasCome(2, 2), twice.hasCome(2, 3), twice.hasCome(1, 2)]).to.deep.equal([true, false, false]);
  });

  it('may lack what the server has left out since the last look, and more after a run as fast as possible', async () => {
    const succession = new Succession();
    const waited: Moment[] = [];
    const upTo = async (moment: Moment) => void waited.push(moment);
    const one: Watcher = { name: 'it', succession, upTo, drop: () => undefined };
    let leftOut = 0;
    const server = { leftOut: async () => leftOut, moment: async () => MOMENT };
    const logbook = new Logbook();
    const completeness = new Completeness([one], server, logbook);
    const look = async (missing: number, more: number, isFast = false) => {
      succession.missing += missing;
      leftOut += more;
      await completeness.look(isFast);
    };
    await look(2, 3);
    await look(1000, 5, true);
    const failure = await look(1, 0).catch((error: Error) => error.message);
    expect(failure).to.equal('it: 1 messages are missing, and the server has left out 0');
    expect(waited).to.deep.equal([MOMENT, MOMENT, MOMENT]);
    expect(Object.fromEntries(logbook.deeds)).to.deep.equal({ 'missed by it': 3, 'missed by it when fast': 1000 });
  });
});

describe('the values of a watcher', () => {
  it('are those of the ball after its steps, of one frame', () => {
    expect(() => demandCourse({ pos: [0, 10], steps: 0 })).not.to.throw();
    expect(() => demandCourse({ pos: [0.1, 9.9019], steps: 1 })).not.to.throw();
    expect(() => demandCourse({ pos: [0.1, 9.9018], steps: 1 })).to.throw('after 1 steps the ball is at 0.1,9.9018');
    for (const steps of [-1, 0.5, Number.NaN]) expect(() => demandCourse({ pos: [0, 10], steps })).to.throw();
    expect(() => demandSteps(2, 20)).not.to.throw();
    expect(() => demandSteps(2, 21)).to.throw('at frame 21 the ball has made 2 steps, not 3');
  });
});
