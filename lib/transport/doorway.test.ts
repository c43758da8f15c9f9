// Newcomers of one address are listened to by and by.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { Doorway, MOST_LISTENED_TO, SILENT_MILLIS } from './doorway.js';

describe('a doorway', () => {
  let clock: ManualClock;
  let doorway: Doorway;
  let heard: number[];
  let leaves: (() => void)[];

  beforeEach(() => {
    clock = new ManualClock();
    doorway = new Doorway((millis, call) => clock.after(millis, call));
    heard = [];
    leaves = [];
  });

  const come = (count: number, address = '10.0.0.1'): void => {
    for (let k = 0; k < count; k++) {
      const number = leaves.length;
      leaves.push(doorway.enter(address, () => heard.push(number)));
    }
  };
  const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, k) => from + k);

  it('listens to some of an address, and to the next when one has spoken or gone', () => {
    come(MOST_LISTENED_TO + 3);
    expect(heard).to.deep.equal(range(0, MOST_LISTENED_TO));
    leaves[MOST_LISTENED_TO]?.();
    leaves[5]?.();
    leaves[5]?.();
    expect(heard.slice(MOST_LISTENED_TO)).to.deep.equal([MOST_LISTENED_TO + 1]);
    leaves[MOST_LISTENED_TO + 1]?.();
    expect(heard.slice(MOST_LISTENED_TO)).to.deep.equal([MOST_LISTENED_TO + 1, MOST_LISTENED_TO + 2]);
  });

  it('keeps nobody waiting for those who are silent, nor for another address', () => {
    come(MOST_LISTENED_TO + 2);
    come(1, '10.0.0.2');
    expect(heard).to.include(MOST_LISTENED_TO + 2);
    clock.advance(SILENT_MILLIS);
    expect(heard).to.include.members([MOST_LISTENED_TO, MOST_LISTENED_TO + 1]);
    for (const leave of leaves) leave();
    come(MOST_LISTENED_TO);
    expect(heard.slice(-MOST_LISTENED_TO)).to.deep.equal(range(MOST_LISTENED_TO + 3, MOST_LISTENED_TO));
  });

  it('comes in some seconds to who speaks behind thousands who do not', () => {
    come(2000);
    const last = heard.length;
    expect(last).to.be.below(150);
    for (let tenths = 0; tenths < 60; tenths++) clock.advance(SILENT_MILLIS);
    expect(heard).to.deep.equal(range(0, 2000));
  });

  it('keeps no timer when all have spoken', () => {
    come(MOST_LISTENED_TO + 10);
    for (const leave of leaves) leave();
    expect(clock.pending).to.equal(0);
  });
});
