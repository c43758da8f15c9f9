import { expect } from 'chai';
import type { VariableFacts } from '../../data/server.js';
import { spectrumSettings, withSpectrum } from './settings.js';

describe('settings of a spectrum', () => {
  it('are made of anything', () => {
    for (const given of [undefined, null, { aliases: 'x', span: -1, isLogarithmic: 1 }])
      expect(spectrumSettings(given)).to.deep.equal({ aliases: [], span: 10, isLogarithmic: false });
    expect(spectrumSettings({ aliases: ['a', 'a', 7], span: 2, isLogarithmic: true })).to.deep.equal({
      ...{ aliases: ['a'], span: 2, isLogarithmic: true },
    });
  });

  it('take single numbers, eight of them', () => {
    const facts = { alias: 'x', kind: 'number', dim: [] as number[] } as unknown as VariableFacts;
    expect(withSpectrum({ aliases: ['a'] }, facts)).to.deep.equal({ aliases: ['a', 'x'] });
    expect(withSpectrum({ aliases: [] }, { ...facts, dim: [2] })).to.equal('x is not one number');
    expect(withSpectrum({ aliases: [...'abcdefgh'] }, facts)).to.equal('a spectrum has at most 8 lines');
  });
});
