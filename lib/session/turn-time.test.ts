// Computing time of a turn: when it is used up, and when it is forgotten.
import { expect } from 'chai';
import { TURN_MILLIS, TurnTime } from './turn-time.js';

describe('the time of a turn', () => {
  let later: (() => void)[] = [];
  let time = new TurnTime();
  beforeEach(() => {
    later = [];
    time = new TurnTime((call) => later.push(call));
  });
  /** The event loop comes round: what was to be called later is called. */
  const nextTurn = (): void => {
    for (const call of later.splice(0)) call();
  };

  it('asks for no turn of the event loop to forget a little', () => {
    time.spend(0.2);
    expect(later).to.have.length(0);
    expect(time.isUsedUp).to.equal(false);
  });

  it('is not used up by a little in each of many turns', () => {
    let turns = 0;
    for (let count = 0; count < 1000; count++) {
      time.spend(0.2);
      expect(time.isUsedUp).to.equal(false);
      turns += later.length;
      nextTurn();
    }
    expect(turns).to.equal(200);
  });

  it('is used up by short pieces of one turn, and forgotten in the next', () => {
    for (let count = 0; count < 10; count++) time.spend(TURN_MILLIS / 10 + 0.001);
    expect(time.isUsedUp).to.equal(true);
    expect(later).to.have.length(1);
    nextTurn();
    expect(time.isUsedUp).to.equal(false);
    expect(later).to.have.length(0);
  });

  it('is never longer because a little was used before', () => {
    time.spend(0.9);
    time.spend(TURN_MILLIS - 0.9);
    expect(time.isUsedUp).to.equal(true);
  });
});
