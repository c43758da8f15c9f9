import { expect } from 'chai';
import type { VariableFacts } from '../../data/server.js';
import { MOST_RECORDED, recordingsSettings, withRecorded } from './settings.js';

const FACTS: VariableFacts = {
  ...{ alias: 'ball.height', type_path: 'double', unit: 'm', dim: [], about: '' },
  ...{ access: 'read-write', kind: 'number' },
};

describe('settings of the recordings', () => {
  it('are made of anything', () => {
    for (const given of [undefined, 3, { aliases: [1, null], cycleSeconds: 0 }]) {
      expect(recordingsSettings(given)).to.deep.equal({ aliases: [], cycleSeconds: 0.1 });
    }
    expect(recordingsSettings({ aliases: ['a', 'a', 'b'], cycleSeconds: 1 })).to.deep.equal({
      aliases: ['a', 'b'],
      cycleSeconds: 1,
    });
  });

  it('take numbers, and say why they take nothing else', () => {
    expect(withRecorded({ aliases: ['a'] }, FACTS)).to.deep.equal({ aliases: ['a', 'ball.height'] });
    expect(withRecorded({ aliases: [] }, { ...FACTS, kind: 'text' })).to.match(/is a text/);
    const full = Array.from({ length: MOST_RECORDED }, (_, k) => `v${k}`);
    expect(withRecorded({ aliases: full }, FACTS)).to.match(/at most/);
  });
});
