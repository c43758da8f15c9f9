// Jobs that clients switch off and on, and whose cycle they change.
import { expect } from 'chai';
import { JobQueue } from './jobs.js';

const FRAME_TICS = 10;

function queue() {
  const jobs = new JobQueue();
  const ran: string[] = [];
  const add = (name: string, periodTics: number) =>
    jobs.add({ name, periodTics, run: (delta) => ran.push(`${name} ${delta}`) }, 0);
  const runUntil = (endTics: number): string[] => {
    ran.length = 0;
    while (jobs.nextTics < endTics) {
      const at = jobs.nextTics;
      jobs.runDue(at, 1);
      ran.push(`at ${at}`);
    }
    return [...ran];
  };
  return { jobs, add, runUntil };
}

const one = (job: string, instance = 1) => ({ job, instance });

describe('a job', () => {
  it('is skipped while it is off, and keeps its grid', () => {
    const { jobs, add, runUntil } = queue();
    add('a', 10);
    expect(jobs.change(one('a'), { isOn: false }, 0, FRAME_TICS)).to.equal(10);
    expect(runUntil(30)).to.deep.equal(['at 0', 'at 10', 'at 20']);
    jobs.change(one('a'), { isOn: true }, 30, FRAME_TICS);
    expect(runUntil(41)).to.deep.equal(['a 10', 'at 30', 'a 10', 'at 40']);
  });

  it('goes on at the next multiple of a new cycle', () => {
    const { jobs, add, runUntil } = queue();
    add('a', 10);
    runUntil(30);
    expect(jobs.change(one('a'), { cycleTics: 20 }, 25, FRAME_TICS)).to.equal(20);
    expect(runUntil(70)).to.deep.equal(['a 20', 'at 40', 'a 20', 'at 60']);
  });

  it('has no cycle shorter than the frame, unless it was declared so', () => {
    const { jobs, add } = queue();
    add('slow', 50);
    add('quick', 2);
    for (const cycleTics of [9, 0, -1, Number.NaN, Number.POSITIVE_INFINITY])
      expect(() => jobs.change(one('slow'), { cycleTics }, 0, FRAME_TICS)).to.throw(/^job slow cannot have a cycle/);
    expect(jobs.change(one('slow'), {}, 0, FRAME_TICS)).to.equal(50);
    expect(jobs.change(one('quick'), { cycleTics: 2 }, 0, FRAME_TICS)).to.equal(2);
    expect(() => jobs.change(one('quick'), { cycleTics: 1 }, 0, FRAME_TICS)).to.throw();
  });

  it('is chosen by its name and its place among those of that name, or with its object', () => {
    const { jobs, add, runUntil } = queue();
    for (const [name, period] of [
      ['fx.a', 10],
      ['fx.a', 20],
      ['fxy.a', 40],
    ] as const)
      add(name, period);
    expect(jobs.change(one('fx.a', 2), {}, 0, FRAME_TICS)).to.equal(20);
    expect(jobs.change(one('fx.a', 3), {}, 0, FRAME_TICS)).to.equal(undefined);
    expect(jobs.change(one('nope'), { isOn: false }, 0, FRAME_TICS)).to.equal(undefined);
    jobs.change({ object: 'fx' }, { isOn: false }, 0, FRAME_TICS);
    expect(runUntil(10)).to.deep.equal(['fxy.a 40', 'at 0']);
  });
});
