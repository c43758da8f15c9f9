import { signal } from '@preact/signals';
import { expect } from 'chai';
import type { PlaneView } from '../plot/plane-view.js';
import { pressedOn, type XYState } from './xy-state.js';

const WHOLE: PlaneView = { x: { min: 0, max: 30 }, y: { min: 0, max: 30 } };

describe('the keys of an X-Y plot', () => {
  function setUp(): XYState {
    const view = signal<PlaneView | undefined>(undefined);
    return { view, pointed: signal(undefined), refusals: signal(new Map()), shown: () => view.peek() ?? WHOLE };
  }
  const seen = ({ view }: XYState): number[] => {
    const { x, y } = view.value ?? { x: { min: Number.NaN, max: Number.NaN }, y: { min: Number.NaN, max: Number.NaN } };
    return [x.min, x.max, y.min, y.max];
  };

  it('zoom around the middle, move, and show all again', () => {
    const state = setUp();
    expect(pressedOn(state, '+')).to.equal(true);
    expect(seen(state)).to.deep.equal([5, 25, 5, 25]);
    pressedOn(state, 'ArrowRight');
    expect(seen(state)).to.deep.equal([7, 27, 5, 25]);
    pressedOn(state, 'ArrowUp');
    expect(seen(state)).to.deep.equal([7, 27, 7, 27]);
    pressedOn(state, '-');
    expect(seen(state)).to.deep.equal([2, 32, 2, 32]);
    pressedOn(state, 'End');
    expect(state.view.value).to.equal(undefined);
  });

  it('mean nothing else, and nothing without a plot', () => {
    const state = setUp();
    expect(pressedOn(state, 'x')).to.equal(false);
    state.shown = () => undefined;
    expect(pressedOn(state, 'ArrowLeft')).to.equal(false);
    pressedOn(state, '+');
    expect(state.view.value).to.equal(undefined);
  });
});
