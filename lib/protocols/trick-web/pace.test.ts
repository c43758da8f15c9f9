import { expect } from 'chai';
import { EMPTY_HEADER, type FrameHeader, Mode } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';
import { Pace } from './pace.js';

const running = (millis: number, other: Partial<FrameHeader> = {}): FrameHeader => ({
  ...EMPTY_HEADER,
  mode: Mode.run,
  timeTics: 1000 * millis,
  ...other,
});
const frozen = (atMillis: number, forMillis: number): FrameHeader =>
  running(atMillis, { mode: Mode.freeze, freezeTimeTics: 1000 * forMillis });

describe('the pace of cyclic messages', () => {
  const taken = (pace: Pace, headers: readonly FrameHeader[]): readonly FrameHeader[] =>
    headers.filter((header) => pace.takes({ header } as Frame));
  const times = (pace: Pace, millis: readonly number[]): readonly number[] =>
    taken(
      pace,
      millis.map((one) => running(one)),
    ).map(({ timeTics }) => timeTics / 1000);

  it('is a second until it is set', () => {
    expect(times(new Pace(running(300)), [400, 990, 1000, 1010, 1990, 2000])).to.deep.equal([1000, 2000]);
  });

  it('takes the first frame at or behind each multiple of the period', () => {
    const pace = new Pace(running(0));
    pace.set(25, running(0));
    expect(times(pace, [10, 20, 30, 40, 50, 60, 70, 80])).to.deep.equal([30, 50, 80]);
  });

  it('takes the next frame when one was due in a pause, and every frame at a period of 0', () => {
    const pace = new Pace(running(0));
    pace.set(100, running(0));
    expect(times(pace, [730, 790, 800])).to.deep.equal([730, 800]);
    pace.set(0, running(800));
    expect(times(pace, [801, 802])).to.deep.equal([801, 802]);
  });

  it('counts the time of a freeze, and begins anew with each mode and each jump of time', () => {
    const pace = new Pace(running(0));
    pace.set(100, running(0));
    expect(taken(pace, [frozen(150, 0), frozen(150, 40), frozen(150, 50), frozen(150, 149)])).to.deep.equal([
      frozen(150, 50),
    ]);
    expect(times(pace, [160, 199, 200])).to.deep.equal([200]);
    expect(
      taken(pace, [running(20, { jumps: 1 }), running(90, { jumps: 1 }), running(100, { jumps: 1 })]),
    ).to.have.length(1);
  });
});
