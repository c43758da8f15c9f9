// How answers are handed on: at once while there is time, then some in each turn, always in order.
import { expect } from 'chai';
import { AnswerPace } from './answer-pace.js';

describe('the pace of answers', () => {
  let now: number;
  let later: (() => void)[];
  let pace: AnswerPace;
  let seen: number[];
  const answer = (number: number, millis = 0) =>
    pace.pass(() => {
      seen.push(number);
      now += millis;
    });
  const nextTurn = (): void => {
    for (const call of later.splice(0)) call();
  };

  beforeEach(() => {
    [now, later, seen] = [0, [], []];
    pace = new AnswerPace(
      (call) => later.push(call),
      () => now,
    );
  });

  it('is none while there is time in the turn', () => {
    for (const number of [1, 2, 3]) answer(number);
    expect(seen).to.deep.equal([1, 2, 3]);
    nextTurn();
    expect(later.length).to.equal(0);
  });

  it('leaves what comes after two milliseconds to later turns, eight at a time', () => {
    for (let number = 1; number <= 20; number++) answer(number, 1);
    expect(seen).to.deep.equal([1, 2]);
    nextTurn();
    expect(seen.length).to.equal(10);
    answer(21);
    nextTurn();
    nextTurn();
    expect(seen).to.deep.equal(Array.from({ length: 21 }, (_, index) => index + 1));
  });

  it('gives way to who answers each answer with a question', () => {
    const ask = (): void =>
      pace.pass(() => {
        seen.push(1);
        now += 1;
        ask();
      });
    ask();
    expect(seen.length).to.equal(2);
    nextTurn();
    expect(seen.length).to.equal(4);
  });
});
