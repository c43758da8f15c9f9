import { expect } from 'chai';
import { MOST_MESSAGES, matching, type SimMessage, withMessages } from './message-list.js';

const message = (number: number, level: SimMessage['level'] = 'normal'): SimMessage => ({
  ...{ number, level },
  ...{ text: `message ${number}`, elapsed_sec: number },
});
const numbers = (messages: readonly SimMessage[]): number[] => messages.map(({ number }) => number);

describe('the messages of a panel', () => {
  it('are added once, in order', () => {
    const known = withMessages([], [message(1), message(2)]);
    expect(numbers(withMessages(known, [message(2), message(3)]))).to.deep.equal([1, 2, 3]);
    expect(withMessages(known, [message(2)])).to.equal(known);
    expect(withMessages(known, [])).to.equal(known);
  });

  it('are bounded', () => {
    const all = Array.from({ length: 5000 }, (_, k) => message(k));
    expect(withMessages([], all)).to.have.length(MOST_MESSAGES);
    expect(numbers(withMessages(all.slice(0, 1000), all)).at(-1)).to.equal(4999);
  });

  it('are those of the new server after a restart', () => {
    expect(numbers(withMessages([message(70), message(71)], [message(0), message(1)]))).to.deep.equal([0, 1]);
  });

  it('are found by their text and their level', () => {
    const all = [message(1), message(2, 'warning'), message(12, 'error'), message(3, 'debug')];
    expect(numbers(matching(all, 'warning', ''))).to.deep.equal([2, 12]);
    expect(numbers(matching(all, 'debug', 'MESSAGE 1'))).to.deep.equal([1, 12]);
  });
});
