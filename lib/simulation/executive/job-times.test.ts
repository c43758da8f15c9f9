// The times of jobs, and the warning about late frames.
import { expect } from 'chai';
import { JobTimes } from './job-times.js';
import { Vitals } from './vitals.js';

function timed() {
  const vitals = new Vitals();
  const clock = { millis: 0 };
  const times = new JobTimes(vitals, () => clock.millis);
  const job = (number: number, millis: number): void => {
    times.starts(number);
    clock.millis += millis;
    times.ended(number);
  };
  return { vitals, clock, times, job };
}

describe('the times of jobs', () => {
  it('are counted by job, also on another thread, and forgotten with it', () => {
    const { vitals, job } = timed();
    const [fly, steer] = [vitals.nameJob('fly'), vitals.nameJob('steer')];
    for (const [number, millis] of [
      [fly, 3],
      [steer, 1],
      [fly, 5],
      [fly, 1],
    ] as const)
      job(number, millis);
    const seen = new Vitals(vitals.buffer);
    const expected = [
      { name: 'fly', calls: 3, totalMillis: 9, worstMillis: 5 },
      { name: 'steer', calls: 1, totalMillis: 1, worstMillis: 1 },
    ];
    expect(seen.jobs).to.deep.equal(expected);
    vitals.forgetJob(fly);
    expect(seen.jobs).to.deep.equal(expected.slice(1));
    vitals.nameJob('land');
    expect(seen.jobs[0]).to.deep.equal({ name: 'land', calls: 0, totalMillis: 0, worstMillis: 0 });
  });

  it('have room for 256 names; other jobs run without', () => {
    const { vitals, job } = timed();
    const numbers = Array.from({ length: 300 }, (_, index) => vitals.nameJob(`job ${index}`));
    for (const number of numbers) job(number, 1);
    expect(vitals.jobs).to.have.length(256);
    expect(vitals.jobs.at(-1)).to.deep.equal({ name: 'job 255', calls: 1, totalMillis: 1, worstMillis: 1 });
  });

  it('warn about late frames once a second, and name the longest job', () => {
    const { vitals, times, job } = timed();
    const [fly, steer] = [vitals.nameJob('fly'), vitals.nameJob('steer')];
    const said: (string | undefined)[] = [];
    for (let frame = 0; frame < 150; frame++) {
      job(fly, frame === 70 ? 12.34 : 9);
      job(steer, 3);
      said.push(times.frameEnded(true, 10));
    }
    const warnings = said.flatMap((text, frame) => (text ? [`${frame}: ${text}`] : []));
    expect(warnings).to.deep.equal([
      '0: a frame has ended late: the longest job was fly, with 9 ms of the 10 ms that a frame has',
      '84: 84 frames have ended late: the longest job was fly, with 12.3 ms of the 10 ms that a frame has',
    ]);
  });

  it('say nothing of frames that were late for another reason, or not late', () => {
    const { vitals, times, job } = timed();
    const fly = vitals.nameJob('fly');
    job(fly, 4);
    expect(times.frameEnded(true, 10)).to.equal(undefined);
    job(fly, 9);
    expect(times.frameEnded(false, 10)).to.equal(undefined);
  });
});
