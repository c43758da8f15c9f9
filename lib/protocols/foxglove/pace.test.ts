// How many frames of a simulation a client gets.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import { WallPace } from './pace.js';

/** Lets frames through for ten seconds; each comes up to so much late. Returns when those that are taken come. */
function taken(frameHertz: number, hertz: number, lateMillis: number): readonly number[] {
  let now = 0;
  const pace = new WallPace(() => now, hertz);
  const times: number[] = [];
  for (let number = 1; number <= 10 * frameHertz; number++) {
    now = (1000 * number) / frameHertz + lateMillis * Math.abs(Math.sin(number * number));
    if (pace.takes({ header: { number, mode: Mode.run } })) times.push(now);
  }
  return times;
}

describe('the pace of a Foxglove client', () => {
  it('is that of the simulation, up to the rate', () => {
    for (const [frameHertz, hertz, lateMillis, least] of [
      [60, 60, 5, 590],
      [100, 60, 3, 590],
      [1000, 60, 0.5, 590],
      [50, 60, 5, 500],
      [1000, 200, 0.5, 1980],
      [100, 0.1, 3, 1],
    ] as const) {
      const times = taken(frameHertz, hertz, lateMillis);
      expect(times.length, `${frameHertz} and ${hertz}`).to.be.within(least, 10 * hertz + 1);
      for (const [index, time] of times.slice(1).entries())
        expect(time - (times[index] as number)).to.be.at.least(500 / hertz - 1e-6);
    }
  });

  it('is the same for all readers, but for the first frame of each', () => {
    let now = 1000;
    const pace = new WallPace(() => now, 10);
    const frame = (number: number) => ({ header: { number, mode: Mode.run } }) as never;
    const one = pace.ofReader();
    expect([1, 2].map((number) => one.takes(frame(number)))).to.deep.equal([true, false]);
    const other = pace.ofReader();
    expect([2, 3].map((number) => other.takes(frame(number)))).to.deep.equal([true, false]);
    now += 100;
    expect([one, other, one].map((reader) => reader.takes(frame(4)))).to.deep.equal([true, true, true]);
    // After a long time without frames there is no more than after a short one.
    now += 10_000;
    expect([5, 6, 7].map((number) => one.takes(frame(number)))).to.deep.equal([true, false, false]);
  });

  it('leaves out no frame after which none may come', () => {
    const pace = new WallPace(() => 1000, 10);
    const takes = (number: number, mode: Mode) => pace.takes({ header: { number, mode } });
    expect([takes(1, Mode.run), takes(2, Mode.run), takes(3, Mode.freeze), takes(4, Mode.freeze)]).to.deep.equal([
      true,
      false,
      true,
      true,
    ]);
  });
});
