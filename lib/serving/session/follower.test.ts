// Which frames something on a cycle is due at.
import { expect } from 'chai';
import { EMPTY_HEADER, type FrameHeader, Mode, Reason } from '../../model/frame/header.js';
import { Follower } from './follower.js';

/** Ticks of 1 ms of simulation time. */
const header = (tick: number, wallMillis: number, part: Partial<FrameHeader> = {}): FrameHeader => ({
  ...EMPTY_HEADER,
  mode: Mode.run,
  softwareFrameTics: 1000,
  number: tick,
  tick,
  wallMillis,
  ...part,
});

const dueTicks = (headers: readonly FrameHeader[]): number[] => {
  const follower = new Follower(0, header(0, 0));
  return headers.filter((one) => follower.mayBeDue(one) && follower.look(one)).map(({ tick }) => tick);
};

describe('the frames that a cycle is due at', () => {
  const ticks = Array.from({ length: 40 }, (_, k) => k + 1);

  it('are one in 10 ms while the simulation runs as fast as possible', () => {
    expect(dueTicks(ticks.map((tick) => header(tick, 1000 + tick)))).to.deep.equal([1, 11, 21, 31]);
  });

  it('are all of a paced simulation, also of ticks that come at once', () => {
    expect(dueTicks(ticks.map((tick) => header(tick, 1000, { clockRatio: 1 })))).to.deep.equal(ticks);
  });

  it('are those of freezes and of the end, however soon they come, and those after the wall clock was set back', () => {
    const frames = [
      header(1, 1000),
      header(2, 1001, { reason: Reason.freeze, mode: Mode.freeze }),
      header(3, 1002),
      header(4, 500),
      header(5, 501, { mode: Mode.exit }),
    ];
    expect(dueTicks(frames)).to.deep.equal([1, 2, 4, 5]);
  });

  it('tell how many cycles were passed over', () => {
    const follower = new Follower(0, header(0, 0));
    follower.look(header(1, 1000));
    expect(follower.look(header(2, 1005))).to.equal(undefined);
    expect(follower.look(header(12, 1010))).to.deep.equal({ missed: 10 });
  });
});
