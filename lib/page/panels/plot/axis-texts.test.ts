import { expect } from 'chai';
import { decadeTexts, TIME_STEPS, timeTexts, valueTexts } from './axis-texts.js';

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

  it('of hours, days and dates are read at once', () => {
    expect(timeTexts([3000, 3600, 4200])).to.deep.equal(['0:50 h', '1:00 h', '1:10 h']);
    expect(timeTexts([0, 43_200, 86_400, 129_600])).to.deep.equal(['0', '12:00 h', '1 d', '1 d 12:00 h']);
    expect(timeTexts([-120, -60, 0])).to.deep.equal(['−2:00', '−1:00', '0']);
    const noon = Date.UTC(2026, 0, 2, 12) / 1000;
    expect(timeTexts([noon, noon + 30])).to.deep.equal(['12:00:00', '12:00:30']);
    expect(timeTexts([noon, noon + 21_600, noon + 43_200])).to.deep.equal(['01-02 12:00', '18:00', '2026-01-03']);
    expect(timeTexts([noon + 43_200, noon + 129_600])).to.deep.equal(['2026-01-03', '2026-01-04']);
  });

  it('stand at steps of whole seconds, minutes, hours and days', () => {
    expect(TIME_STEPS.filter((step) => step >= 1 && step < 86_400)).to.deep.equal([
      ...[1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200],
    ]);
    expect([...TIME_STEPS].sort((one, other) => one - other)).to.deep.equal(TIME_STEPS);
  });

  it('of a logarithmic axis are its decades', () => {
    expect(decadeTexts([0.01, 0.02, 0.1, 1, null, 10, 1e6, 1e-7])).to.deep.equal([
      ...['0.01', '', '0.1', '1', '', '10', '1e6', '1e−7'],
    ]);
  });
});
