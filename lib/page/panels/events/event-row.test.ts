import { expect } from 'chai';
import { countText, nameOf, type SimEvent, stateText } from './event-row.js';

const EVENT: SimEvent = {
  ...{ name: 'land', active: true, added: true, mode: 'auto', cycle_sec: 0.5, needs_all: false },
  ...{ fired_count: 0, fired_sec: null, ran_count: 0, ran_sec: null, hold: false, conditions: [], actions: [] },
};

describe('a row of the events', () => {
  it('says what the event does next', () => {
    const changed: Partial<SimEvent>[] = [{}, { hold: true }, { active: false }, { mode: 'on' }, { added: false }];
    expect(changed.map((part) => stateText({ ...EVENT, ...part }))).to.deep.equal([
      ...['active', 'active, held', 'inactive', 'manual on', 'not added'],
    ]);
  });

  it('counts, and says when it was last', () => {
    expect(countText(0, null)).to.equal('–');
    expect(countText(3, 12.4)).to.equal('3, last at 12.40 s');
    expect(countText(3, null)).to.equal('3');
  });

  it('has a name for every condition', () => {
    expect(nameOf({ comment: ' low ', text: 'x' })).to.equal('low');
    expect(nameOf({ comment: '', text: 'ball.h < 1\nmore' })).to.equal('ball.h < 1');
    expect(nameOf({ comment: '', text: '' })).to.equal('without text');
  });
});
