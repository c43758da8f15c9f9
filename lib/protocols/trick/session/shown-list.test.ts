// A list whose pointers lead to too much: it is told once, and nothing waits for frames that show it.
import { expect } from 'chai';
import { PageLeases } from '../../../model/frame/page-leases.js';
import type { Frame } from '../../../model/frame/reader.js';
import { TooManyPointersError } from '../../../model/state/reach.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import type { TrickReference } from '../wire/reference.js';
import { ShownList } from './shown-list.js';

/** @param isMoving whether the list's one value may lie elsewhere in each frame. */
function setUp(isMoving = false) {
  const told: string[] = [];
  const bound = { left: true };
  const countCarried = (): void => {
    if (!bound.left) throw new OverBoundError('valuesPerSecond', 'too many values');
  };
  const reference = { isMoving, variableIn: () => undefined } as Partial<TrickReference> as TrickReference;
  const events = {
    refused: (sentence: string) => void told.push(sentence),
    countCarried,
    latest: () => expect.fail('a short list is looked at in the frame that is given'),
    turn: () => expect.fail('a short list is looked at at once'),
  };
  const shown = new ShownList([reference], events);
  const frameWith = (carriesAll: () => boolean, wallMillis = 0): Frame =>
    ({
      pages: { carried: { hasEach: () => true }, leases: new PageLeases() },
      memory: { bytes: [] },
      header: { catalogVersion: 1, wallMillis },
      carriesAll,
    }) as unknown as Frame;
  const tooMany = frameWith(() => {
    throw new TooManyPointersError('far');
  });
  return { shown, told, bound, frameWith, tooMany };
}

describe('the frames that show a list', () => {
  it('are waited for', () => {
    const { shown, frameWith } = setUp(true);
    expect([false, true].map((isShown) => shown.isSettledIn(frameWith(() => isShown)))).to.deep.equal([false, true]);
    expect(shown.isRefused).to.equal(false);
  });

  it('are not waited for when it leads to too much, which is told once until it can be shown again', () => {
    const { shown, told, frameWith, tooMany } = setUp(true);
    expect([shown.isSettledIn(tooMany), shown.isSettledIn(tooMany), shown.isRefused]).to.deep.equal([true, true, true]);
    expect(told).to.deep.equal([`${new TooManyPointersError('far').message}; the list is not sent`]);
    expect([shown.isSettledIn(frameWith(() => true)), shown.isRefused]).to.deep.equal([true, false]);
    shown.isSettledIn(tooMany);
    expect(told).to.have.lengthOf(2);
  });

  it('are asked for once a second when the client may not have what it leads to, and at once when it changes', () => {
    const { shown, told, bound, frameWith } = setUp();
    const asked: number[] = [];
    const settled = (wallMillis: number): boolean =>
      shown.isSettledIn(frameWith(() => asked.push(wallMillis) > 0, wallMillis));
    bound.left = false;
    for (const wallMillis of [0, 10, 990, 1000, 1010]) expect(settled(wallMillis)).to.equal(true);
    expect([asked.splice(0), told, shown.isRefused]).to.deep.equal([
      [0, 1000],
      ['too many values; the list is not sent'],
      true,
    ]);
    bound.left = true;
    expect([settled(1020), shown.isRefused]).to.deep.equal([true, true]);
    shown.changed();
    expect([settled(1030), shown.isRefused, asked]).to.deep.equal([true, false, [1030]]);
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
