import { expect } from 'chai';
import { axisTitle, logarithmicRange, MOST_AXES, ownAxis, valueAxes, valueRange } from './value-axes.js';

describe('the value axes of a plot', () => {
  it('are one for each unit, left and right in turn', () => {
    const axes = valueAxes(['m', 'm/s', 'm', '1']);
    expect(axes.map(({ unit, side, members }) => ({ unit, side, members }))).to.deep.equal([
      { unit: 'm', side: 'left', members: [0, 2] },
      { unit: 'm/s', side: 'right', members: [1] },
      { unit: '1', side: 'left', members: [3] },
    ]);
    expect(axes.map(axisTitle)).to.deep.equal(['m', 'm/s', '']);
  });

  it('take no unit, "1" and "--" for the same', () => {
    expect(valueAxes(['', '1', '--'])).to.have.length(1);
  });

  it('are never more than there is room for', () => {
    const axes = valueAxes(['m', 's', 'kg', 'K', 'N', 'Pa']);
    expect(axes).to.have.length(MOST_AXES);
    expect(axes.flatMap(({ members }) => members).sort()).to.deep.equal([0, 1, 2, 3, 4, 5]);
  });

  it('have room around what is drawn', () => {
    expect(valueRange(0, 100)).to.deep.equal([-6, 106]);
    expect(valueRange(50, 50)).to.deep.equal([45, 55]);
    expect(valueRange(0, 0)).to.deep.equal([-1, 1]);
    expect(valueRange(null, null)).to.deep.equal([0, 1]);
  });
});

describe('an axis of its own, or a logarithmic one', () => {
  it('is that of one line, and is called after it', () => {
    const axes = valueAxes(['m', ownAxis('m', 'ball.position[1]'), undefined, 'm']);
    expect(axes.map(({ members }) => members)).to.deep.equal([[0, 3], [1]]);
    expect(axes.map(axisTitle)).to.deep.equal(['m', 'position[1], m']);
    expect(axisTitle({ unit: ownAxis('1', 'x') })).to.equal('x');
  });

  it('reaches over whole decades of what is above 0', () => {
    expect(
      logarithmicRange([
        [3, null, -5],
        [0, 250],
      ]),
    ).to.deep.equal([1, 1000]);
    expect(logarithmicRange([[0.1, 10]])).to.deep.equal([0.1, 100]);
    expect(logarithmicRange([[-1, null]])).to.deep.equal([0.1, 10]);
  });
});
