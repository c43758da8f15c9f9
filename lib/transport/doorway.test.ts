// Newcomers of one address are listened to by and by.
import { expect } from 'chai';
import { ManualClock } from '../testing/aids/manual-clock.js';
import { Doorway, MOST_LISTENED_TO, ROUND_MILLIS } from './doorway.js';

describe('a doorway', () => {
  let clock: ManualClock;
  let doorway: Doorway;
  let listenedTo: Set<number>;
  let heard: number[];
  let leaves: (() => void)[];

  beforeEach(() => {
    clock = new ManualClock();
    doorway = new Doorway((millis, call) => clock.after(millis, call));
    [listenedTo, heard, leaves] = [new Set(), [], []];
  });

  const come = (count: number, address = '10.0.0.1'): void => {
    for (let k = 0; k < count; k++) {
      const number = leaves.length;
      const listen = (): void => {
        listenedTo.add(number);
        heard.push(number);
      };
      leaves.push(doorway.enter(address, { listen, ignore: () => listenedTo.delete(number) }));
    }
  };
  const speak = (number: number): void => {
    listenedTo.delete(number);
    leaves[number]?.();
  };
  const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, k) => from + k);

  it('listens to some of an address, and to the next when one has spoken or gone', () => {
    come(MOST_LISTENED_TO + 3);
    expect([...listenedTo]).to.deep.equal(range(0, MOST_LISTENED_TO));
    speak(MOST_LISTENED_TO);
    speak(5);
    speak(5);
    expect(heard.slice(MOST_LISTENED_TO)).to.deep.equal([MOST_LISTENED_TO + 1]);
    speak(MOST_LISTENED_TO + 1);
    expect(heard.slice(MOST_LISTENED_TO)).to.deep.equal([MOST_LISTENED_TO + 1, MOST_LISTENED_TO + 2]);
  });

  it('lets those who are silent take turns, and listens to no more of them at once', () => {
    come(MOST_LISTENED_TO + 2);
    come(1, '10.0.0.2');
    expect(listenedTo).to.include(MOST_LISTENED_TO + 2);
    clock.advance(ROUND_MILLIS);
    expect(heard.length).to.equal(MOST_LISTENED_TO + 1);
    clock.advance(ROUND_MILLIS);
    expect(heard.slice(MOST_LISTENED_TO + 1)).to.deep.equal([
      ...range(MOST_LISTENED_TO, 2),
      ...range(0, MOST_LISTENED_TO - 2),
    ]);
    for (let round = 0; round < 20; round++) {
      clock.advance(ROUND_MILLIS);
      expect(listenedTo.size).to.equal(MOST_LISTENED_TO + 1);
    }
  });

  it('goes on listening to few who are silent', () => {
    come(MOST_LISTENED_TO);
    clock.advance(100 * ROUND_MILLIS);
    expect([heard.length, listenedTo.size, clock.pending]).to.deep.equal([MOST_LISTENED_TO, MOST_LISTENED_TO, 0]);
  });

  it('comes in three seconds to who speaks behind thousands who do not, and to each again', () => {
    come(2000);
    for (let rounds = 0; rounds < 300; rounds++) clock.advance(ROUND_MILLIS);
    expect(heard.slice(0, 2000)).to.deep.equal(range(0, 2000));
    expect(listenedTo.size).to.equal(MOST_LISTENED_TO);
    expect(heard.length).to.be.above(2000);
  });

  it('keeps no timer when all have spoken', () => {
    come(MOST_LISTENED_TO + 10);
    for (const number of leaves.keys()) speak(number);
    expect(clock.pending).to.equal(0);
  });
});
