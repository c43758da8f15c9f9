import { expect } from 'chai';
import { Paced } from './paced.js';

function setUp(millisInTurn: number, leastMillis = 0) {
  const later: (() => void)[] = [];
  let now = 0;
  const paced = new Paced(
    millisInTurn,
    leastMillis,
    (call) => later.push(call),
    () => now,
  );
  const made: number[] = [];
  const work =
    (number: number, millis = 1) =>
    () => {
      made.push(number);
      now += millis;
    };
  return { paced, made, work, later, turn: () => later.shift()?.() };
}

describe('paced work', () => {
  it('is done at once for some time, then in later turns in its order', () => {
    const { paced, made, work, later, turn } = setUp(2);
    for (let k = 0; k < 5; k++) paced.call(work(k));
    expect(made).to.deep.equal([0, 1]);
    turn();
    expect(made).to.deep.equal([0, 1, 2, 3]);
    paced.call(work(5));
    expect(made).to.have.length(4);
    turn();
    expect(made).to.deep.equal([0, 1, 2, 3, 4, 5]);
    turn();
    expect(later).to.have.length(0);
    paced.call(work(6));
    expect(made).to.have.length(7);
  });

  it('counts as much as its least time', () => {
    const { paced, made, work, turn } = setUp(2, 0.5);
    for (let k = 0; k < 9; k++) paced.call(work(k, 0));
    expect(made).to.have.length(4);
    turn();
    expect(made).to.have.length(8);
  });

  it('that waits again goes behind what waits already', () => {
    const { paced, made, work, turn } = setUp(2);
    const twice = (number: number) => () => {
      work(number)();
      paced.wait(work(10 + number));
    };
    for (const number of [0, 1, 2, 3]) paced.wait(twice(number));
    for (let k = 0; k < 4; k++) turn();
    expect(made).to.deep.equal([0, 1, 2, 3, 10, 11, 12, 13]);
  });

  it('of somebody known comes first; one that begins and one that goes on have their turns all the same', () => {
    const { paced, made, work, turn } = setUp(2);
    for (const number of [20, 21]) paced.goOn(work(number));
    for (const number of [10, 11, 12]) paced.wait(work(number));
    for (const number of [0, 1, 2]) paced.waitKnown(work(number));
    expect(paced.isBusy).to.equal(true);
    turn();
    expect(made).to.deep.equal([0, 1, 10, 20]);
    turn();
    expect(made.slice(4)).to.deep.equal([2, 11, 21]);
    turn();
    expect(made.slice(7)).to.deep.equal([12]);
  });

  it('begins before what goes on, of which one has its turn all the same', () => {
    const { paced, made, work, turn } = setUp(2);
    for (const number of [10, 11, 12]) paced.goOn(work(number));
    for (const number of [0, 1, 2]) paced.wait(work(number));
    turn();
    expect(made).to.deep.equal([0, 1, 10]);
    paced.wait(work(3));
    turn();
    expect(made).to.deep.equal([0, 1, 10, 2, 3, 11]);
    turn();
    expect(made.at(-1)).to.equal(12);
  });

  it('goes on after work that throws', () => {
    const { paced, made, work, turn } = setUp(1);
    paced.call(work(0));
    paced.wait(() => {
      throw new Error('told to');
    });
    paced.wait(work(1));
    expect(turn).to.throw('told to');
    turn();
    expect(made).to.deep.equal([0, 1]);
  });
});
