import { expect } from 'chai';
import fc from 'fast-check';
import { Fingers } from './fingers.js';

describe('fingers on a plot', () => {
  it('move it, when there is one', () => {
    const fingers = new Fingers();
    fingers.down(7, 100);
    expect(fingers.move(7, 130)).to.deep.equal({ pixels: -30, factor: 1, center: 100 });
    expect(fingers.move(7, 90)).to.deep.equal({ pixels: 40, factor: 1, center: 130 });
    fingers.up(7);
    expect(fingers.move(7, 0)).to.equal(undefined);
  });

  it('zoom it around their middle, when there are two', () => {
    const fingers = new Fingers();
    fingers.down(1, 100);
    fingers.down(2, 200);
    expect(fingers.move(2, 300)).to.deep.equal({ pixels: -50, factor: 2, center: 150 });
    expect(fingers.move(1, 200)).to.deep.equal({ pixels: -50, factor: 0.5, center: 200 });
  });

  it('go on as one when the other is lifted, without a jump, and a third does nothing', () => {
    const fingers = new Fingers();
    fingers.down(1, 100);
    fingers.down(2, 200);
    fingers.down(3, 500);
    expect(fingers.move(3, 600)).to.equal(undefined);
    fingers.up(1);
    expect(fingers.move(2, 210)).to.deep.equal({ pixels: -10, factor: 1, center: 200 });
  });

  it('zoom by a bounded factor, wherever they go', () => {
    const place = fc.integer({ min: 0, max: 4000 });
    fc.assert(
      fc.property(place, place, fc.array(fc.tuple(fc.constantFrom(1, 2), place)), (one, other, moves) => {
        const fingers = new Fingers();
        fingers.down(1, one);
        fingers.down(2, other);
        const factors = moves.map(([id, x]) => fingers.move(id, x)!.factor);
        expect(factors.every((factor) => factor >= 1 / 250 && factor <= 250)).to.equal(true);
      }),
    );
  });
});
