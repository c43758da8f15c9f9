// The executive: modes, jobs, time and the end of a run.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import { Executive, type ExecutiveOptions } from './executive.js';

const REASONS = ['tick', 'freeze', 'request', 'scheduled'];

/** An executive at 100 Hz that records what it does: `time reason frame_count`. */
function record(options: Partial<ExecutiveOptions> = {}) {
  const log: string[] = [];
  const executive: Executive = new Executive(
    {
      softwareFrameSeconds: 0.01,
      freezeFrameSeconds: 1,
      terminateSeconds: Number.POSITIVE_INFINITY,
      ticsPerSecond: 1e6,
      ...options,
    },
    {
      publish: (reason) => log.push(`${executive.timeSeconds} ${REASONS[reason]} ${executive.frameCount}`),
      failed: (error) => log.push(error.message),
    },
  );
  const job = (name: string, periodTics: number, firstTics = 0, run: () => void = () => {}) =>
    executive.jobs.add(
      {
        name,
        periodTics,
        run: () => {
          log.push(`${executive.timeSeconds} ${name}`);
          run();
        },
      },
      firstTics,
    );
  const ticks = (count: number): string[] => {
    log.length = 0;
    for (let i = 0; i < count; i++) executive.runTick();
    return log;
  };
  return { executive, log, job, ticks };
}

const RUN = Mode.run;

describe('the executive', () => {
  it('starts in initialization at time 0 and publishes its first frame in the mode it is started in', () => {
    const { executive, log } = record();
    expect([executive.mode, executive.timeTics]).to.deep.equal([Mode.initialization, 0]);
    executive.start(RUN);
    expect([executive.mode, log]).to.deep.equal([Mode.run, ['0 tick 0']]);
    const frozen = record().executive;
    frozen.start(Mode.freeze);
    expect(frozen.mode).to.equal(Mode.freeze);
  });

  it('heeds a build that has frozen or stopped it', () => {
    const frozen = record().executive;
    frozen.freeze();
    frozen.start(RUN);
    expect(frozen.mode).to.equal(Mode.freeze);
    const stopped = record().executive;
    stopped.exit();
    stopped.start(RUN);
    expect(stopped.mode).to.equal(Mode.exit);
  });

  it('goes from run to freeze, step, freeze and run, and from exit nowhere', () => {
    const { executive, ticks } = record();
    executive.start(RUN);
    executive.freeze();
    expect(executive.mode).to.equal(Mode.freeze);
    executive.step(2);
    expect(executive.mode).to.equal(Mode.step);
    ticks(1);
    expect(executive.mode).to.equal(Mode.step);
    ticks(1);
    expect(executive.mode).to.equal(Mode.freeze);
    executive.run();
    expect(executive.mode).to.equal(Mode.run);
    executive.exit();
    executive.run();
    executive.freeze();
    executive.step(1);
    expect(executive.mode).to.equal(Mode.exit);
  });

  it('refuses a step that is not a whole number of frames', () => {
    const { executive } = record();
    for (const frames of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => executive.step(frames)).to.throw(`a step is a whole number of frames from 1 up, not ${frames}`);
    }
    expect(executive.mode).to.equal(Mode.initialization);
  });

  it('runs each job at its exact times, whether or not they are multiples of the frame', () => {
    const { job, ticks } = record();
    job('seven', 7000);
    job('late', 12_500, 3000);
    expect(ticks(3)).to.deep.equal([
      '0 seven',
      '0.003 late',
      '0.007 seven',
      '0.01 tick 1',
      '0.014 seven',
      '0.0155 late',
      '0.02 tick 2',
      '0.021 seven',
      '0.028 seven',
      '0.028 late',
      '0.03 tick 3',
    ]);
  });

  it('runs jobs due at the same time in the order in which they were added', () => {
    const { job, ticks } = record();
    job('slow', 20_000);
    job('fast', 10_000);
    job('first', 5000);
    expect(ticks(1)).to.deep.equal(['0 slow', '0 fast', '0 first', '0.005 first', '0.01 tick 1']);
    expect(ticks(2).slice(4, 7)).to.deep.equal(['0.02 slow', '0.02 fast', '0.02 first']);
  });

  it('lets jobs come and go while they run', () => {
    const { job, ticks } = record();
    const remove = job('once', 10_000, 0, () => {
      remove();
      job('child', 10_000, 0);
    });
    expect(ticks(2)).to.deep.equal(['0 once', '0 child', '0.01 tick 1', '0.01 child', '0.02 tick 2']);
  });

  it('has frame k at the top of frame, and one more in a scheduled copy at that time', () => {
    const { executive, ticks } = record();
    executive.copies.hold(100_000);
    const log = ticks(822);
    expect(log).to.include.members(['3.7 tick 370', '5.6 tick 560', '5.6 scheduled 561', '5.7 scheduled 571']);
    expect(executive.timeTics / 1e6).to.equal(8.22);
    expect(log.at(-1)).to.match(/ tick 822$/);
  });

  it('copies exactly at multiples of 33 ms with a frame of 10 ms', () => {
    const { executive, ticks } = record();
    ticks(631);
    executive.copies.hold(33_000);
    const copies = ticks(20).filter((line) => line.includes('scheduled'));
    expect(copies).to.deep.equal([
      '6.336 scheduled 634',
      '6.369 scheduled 637',
      '6.402 scheduled 641',
      '6.435 scheduled 644',
      '6.468 scheduled 647',
      '6.501 scheduled 651',
    ]);
  });

  it('copies a time once for all periods that meet there, after the jobs of that time', () => {
    const { executive, job, ticks } = record();
    job('job', 10_000);
    executive.copies.hold(5000);
    executive.copies.hold(10_000);
    ticks(1);
    expect(ticks(1)).to.deep.equal(['0.01 job', '0.01 scheduled 2', '0.015 scheduled 2', '0.02 tick 2']);
  });

  it('copies after the jobs of a time, too, when a period is taken up between frames', () => {
    const { executive, job, ticks } = record();
    job('job', 10_000);
    ticks(1);
    executive.copies.hold(2500);
    expect(ticks(1).slice(0, 3)).to.deep.equal(['0.01 job', '0.01 scheduled 2', '0.0125 scheduled 2']);
  });

  it('copies no more when the last holder has let go', () => {
    const { executive, ticks } = record();
    executive.copies.hold(5000);
    executive.copies.hold(5000);
    executive.copies.letGo(5000);
    expect(ticks(1)).to.include('0.005 scheduled 1');
    executive.copies.letGo(5000);
    executive.copies.letGo(5000);
    expect(ticks(1)).to.deep.equal(['0.02 tick 2']);
    executive.copies.hold(5000);
    expect(ticks(1)).to.include('0.025 scheduled 3');
  });

  it('freezes when a job throws, leaves out the rest of that frame, and goes on at run', () => {
    const { executive, job, ticks } = record();
    let isBroken = true;
    executive.start(RUN);
    job('good', 5000);
    job('bad', 10_000, 0, () => {
      if (isBroken) throw new Error('division by zero');
    });
    expect(ticks(1)).to.deep.equal(['0 good', '0 bad', 'job bad failed: division by zero', '0.01 tick 1']);
    expect(executive.mode).to.equal(Mode.freeze);
    isBroken = false;
    executive.run();
    expect(ticks(1)).to.deep.equal(['0.01 good', '0.01 bad', '0.015 good', '0.02 tick 2']);
    expect(executive.mode).to.equal(Mode.run);
  });

  it('goes on from an earlier time with copies and jobs on their grids, none before its first time', () => {
    const { executive, job, ticks } = record();
    executive.start(RUN);
    job('pump', 15_000);
    job('late', 20_000, 35_000);
    executive.copies.hold(20_000);
    ticks(8);
    executive.continueFrom(10_000, 1);
    expect([executive.timeTics, executive.tick, executive.jumps]).to.deep.equal([10_000, 8, 1]);
    expect(ticks(3)).to.deep.equal([
      '0.015 pump',
      '0.02 tick 2',
      '0.02 scheduled 3',
      '0.03 tick 3',
      '0.03 pump',
      '0.035 late',
      '0.04 tick 4',
    ]);
    executive.continueFrom(60_000, 6);
    expect(ticks(1)).to.deep.equal(['0.06 pump', '0.06 scheduled 7', '0.07 tick 7']);
  });

  it('exits at the end of the frame that reaches the terminate time', () => {
    const { executive, ticks } = record({ terminateSeconds: 0.025 });
    executive.start(RUN);
    ticks(2);
    expect(executive.mode).to.equal(Mode.run);
    ticks(1);
    expect([executive.mode, executive.timeSeconds]).to.deep.equal([Mode.exit, 0.03]);
  });

  it('freezes at a time once, and at once when that time is now', () => {
    const { executive, ticks } = record();
    executive.start(RUN);
    executive.freezeAtTics(20_000);
    executive.freeze();
    executive.run();
    ticks(2);
    expect(executive.mode).to.equal(Mode.freeze);
    executive.run();
    ticks(1);
    expect(executive.mode).to.equal(Mode.run);
    executive.freezeAtTics(30_000);
    expect(executive.mode).to.equal(Mode.freeze);
  });

  it('refuses to freeze at a time that has passed, and ends at once for such an end', () => {
    const { executive, ticks } = record();
    executive.start(RUN);
    ticks(3);
    expect(() => executive.freezeAtTics(20_000)).to.throw('cannot freeze at 0.02 s, simulation time is 0.03 s already');
    expect([executive.mode, executive.terminateTics]).to.deep.equal([Mode.run, Number.POSITIVE_INFINITY]);
    executive.stopAtTics(20_000);
    expect(executive.mode).to.equal(Mode.exit);
  });

  it('counts freeze frames and their time from the start of each freeze, with time standing', () => {
    const { executive, log } = record();
    executive.start(Mode.freeze);
    log.length = 0;
    executive.runFreezeFrame();
    executive.runFreezeFrame();
    expect(log).to.deep.equal(['0 freeze 0', '0 freeze 0']);
    expect([executive.freezeFrameCount, executive.freezeTimeTics]).to.deep.equal([2, 2e6]);
    executive.run();
    executive.freeze();
    expect([executive.freezeFrameCount, executive.freezeTimeTics]).to.deep.equal([0, 0]);
  });

  it('takes another frame length between frames and keeps jobs on their own grid', () => {
    const { executive, job, ticks } = record();
    job('job', 10_000);
    ticks(1);
    executive.softwareFrame.set(0.025);
    expect(ticks(1)).to.deep.equal(['0.01 job', '0.02 job', '0.03 job', '0.035 tick 2']);
    for (const seconds of [0, -1, 1e6, Number.NaN]) {
      expect(() => executive.softwareFrame.set(seconds)).to.throw(
        `a software frame is a time in seconds from 1e-6 up, not ${seconds}`,
      );
      expect(() => executive.freezeFrame.set(seconds)).to.throw(
        `a freeze frame is a time in seconds from 1e-6 up, not ${seconds}`,
      );
    }
    expect([executive.softwareFrameTics, executive.freezeFrameTics]).to.deep.equal([25_000, 1e6]);
  });

  it('gives jobs no cycle shorter than the frame that the simulation has set, whatever clients have made of it', () => {
    const { executive, job } = record();
    job('job', 10_000);
    executive.start(Mode.run);
    executive.softwareFrame.set(0.001);
    expect(() => executive.changeJobs({ job: 'job', instance: 1 }, undefined, 0.005)).to.throw(
      /shorter than the simulation's own software frame/,
    );
  });
});
