import { expect } from 'chai';
import { timeTexts, valueTexts } from './axis-texts.js';

describe('the texts of an axis', () => {
  it('have just enough decimals', () => {
    expect(valueTexts([0, 2.5, 5])).to.deep.equal(['0.0', '2.5', '5.0']);
    expect(valueTexts([-20, 0, 20])).to.deep.equal(['−20', '0', '20']);
    expect(valueTexts([0.01, 0.02])).to.deep.equal(['0.01', '0.02']);
    expect(valueTexts([1e9, 2e9])).to.deep.equal(['1000000000', '2000000000']);
    expect(valueTexts([1e-7, 2e-7])).to.deep.equal(['1.000e−7', '2.000e−7']);
    expect(valueTexts([-1e-9, -1.6e-19, 1e-9])).to.deep.equal(['−1.000e−9', '0', '1.000e−9']);
    expect(valueTexts([])).to.deep.equal([]);
  });

  it('are a clock from a minute on', () => {
    expect(timeTexts([0, 20, 40])).to.deep.equal(['0', '20', '40']);
    expect(timeTexts([50, 60, 70])).to.deep.equal(['50', '1:00', '1:10']);
    expect(timeTexts([3600, 3600.5])).to.deep.equal(['1:00:00.0', '1:00:00.5']);
  });
});
