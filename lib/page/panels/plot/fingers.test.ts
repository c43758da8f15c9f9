import { expect } from 'chai';
import fc from 'fast-check';
import { Fingers } from './fingers.js';

const at = (x: number, y = 0) => ({ x, y });

describe('fingers on a plot', () => {
  it('move it, when there is one', () => {
    const fingers = new Fingers();
    fingers.down(7, at(100));
    expect(fingers.move(7, at(130))).to.deep.equal({ pixels: at(-30), factor: 1, center: at(100) });
    expect(fingers.move(7, at(90))).to.deep.equal({ pixels: at(40), factor: 1, center: at(130) });
    fingers.up(7);
    expect(fingers.move(7, at(0))).to.equal(undefined);
  });

  it('zoom it around their middle, when there are two', () => {
    const fingers = new Fingers();
    fingers.down(1, at(100));
    fingers.down(2, at(200));
    expect(fingers.move(2, at(300))).to.deep.equal({ pixels: at(-50), factor: 2, center: at(150) });
    expect(fingers.move(1, at(200))).to.deep.equal({ pixels: at(-50), factor: 0.5, center: at(200) });
  });

  it('move and zoom it in both directions', () => {
    const fingers = new Fingers();
    fingers.down(1, at(100, 100));
    expect(fingers.move(1, at(100, 130))).to.deep.equal({ pixels: at(0, -30), factor: 1, center: at(100, 100) });
    fingers.down(2, at(130, 170));
    expect(fingers.move(2, at(160, 210))?.factor).to.equal(2);
  });

  it('go on as one when the other is lifted, without a jump, and a third does nothing', () => {
    const fingers = new Fingers();
    fingers.down(1, at(100));
    fingers.down(2, at(200));
    fingers.down(3, at(500));
    expect(fingers.move(3, at(600))).to.equal(undefined);
    fingers.up(1);
    expect(fingers.move(2, at(210))).to.deep.equal({ pixels: at(-10), factor: 1, center: at(200) });
  });

  it('zoom by a bounded factor, wherever they go', () => {
    const place = fc.integer({ min: 0, max: 4000 });
    fc.assert(
      fc.property(place, place, fc.array(fc.tuple(fc.constantFrom(1, 2), place)), (one, other, moves) => {
        const fingers = new Fingers();
        fingers.down(1, at(one));
        fingers.down(2, at(other));
        const factors = moves.map(([id, x]) => fingers.move(id, at(x))!.factor);
        expect(factors.every((factor) => factor >= 1 / 250 && factor <= 250)).to.equal(true);
      }),
    );
  });
});
