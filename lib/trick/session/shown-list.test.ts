// A list whose pointers lead to too much: it is told once, and nothing waits for frames that show it.
import { expect } from 'chai';
import type { Frame } from '../../frame/reader.js';
import { TooManyPointersError } from '../../model/reach.js';
import { ShownList } from './shown-list.js';

function setUp() {
  const told: string[] = [];
  const shown = new ShownList([], (sentence) => told.push(sentence));
  const frameWith = (showsAll: () => boolean): Frame => ({ pages: {}, showsAll }) as unknown as Frame;
  const tooMany = frameWith(() => {
    throw new TooManyPointersError('far');
  });
  return { shown, told, frameWith, tooMany };
}

describe('the frames that show a list', () => {
  it('are waited for', () => {
    const { shown, frameWith } = setUp();
    expect([false, true].map((isShown) => shown.isSettledIn(frameWith(() => isShown)))).to.deep.equal([false, true]);
    expect(shown.isRefused).to.equal(false);
  });

  it('are not waited for when it leads to too much, which is told once until it can be shown again', () => {
    const { shown, told, frameWith, tooMany } = setUp();
    expect([shown.isSettledIn(tooMany), shown.isSettledIn(tooMany), shown.isRefused]).to.deep.equal([true, true, true]);
    expect(told).to.deep.equal([`${new TooManyPointersError('far').message}; the list is not sent`]);
    expect([shown.isSettledIn(frameWith(() => true)), shown.isRefused]).to.deep.equal([true, false]);
    shown.isSettledIn(tooMany);
    expect(told).to.have.lengthOf(2);
  });

  it('throw what is not about pointers', () => {
    const { shown, frameWith } = setUp();
    const fault = new RangeError('a fault');
    const broken = (): boolean => {
      throw fault;
    };
    expect(() => shown.isSettledIn(frameWith(broken))).to.throw(fault);
  });
});
