import { expect } from 'chai';
import type { VariableFacts } from '../../data/server.js';
import { MOST_TRAJECTORIES, withAxis, xyPlotSettings, xyPlotTitle } from './settings.js';

const FACTS: VariableFacts = {
  ...{ alias: 'ball.x', type_path: 'double', unit: 'm', dim: [], about: '' },
  ...{ access: 'read-write', kind: 'number' },
};

describe('settings of an X-Y plot', () => {
  it('are made of anything', () => {
    for (const given of [undefined, 'x', { trajectories: [7, { y: 'b' }], span: -1, isEqual: 'yes' }]) {
      expect(xyPlotSettings(given)).to.deep.equal({ trajectories: [], span: undefined, isEqual: true });
    }
  });

  it('take x, then y, then the next x', () => {
    const one = withAxis({ trajectories: [] }, FACTS);
    expect(one).to.deep.equal({ trajectories: [{ x: 'ball.x' }] });
    const two = withAxis({ trajectories: [{ x: 'ball.x' }] }, { ...FACTS, alias: 'ball.y' });
    expect(two).to.deep.equal({ trajectories: [{ x: 'ball.x', y: 'ball.y' }] });
    expect(xyPlotTitle({ trajectories: [{ x: 'ball.x', y: 'ball.y' }] })).to.equal('ball.y over ball.x');
  });

  it('take both of an array', () => {
    const point = withAxis({ trajectories: [] }, { ...FACTS, alias: 'ball.position', dim: [3] });
    expect(point).to.deep.equal({ trajectories: [{ x: 'ball.position[0]', y: 'ball.position[1]' }] });
  });

  it('say why they do not take it', () => {
    expect(withAxis({ trajectories: [] }, { ...FACTS, kind: 'text' })).to.equal(
      'ball.x is no number; put numbers here',
    );
    expect(withAxis({ trajectories: [] }, { ...FACTS, dim: [2, 2] })).to.match(/is no point/);
    const full = Array.from({ length: MOST_TRAJECTORIES }, () => ({ x: 'a', y: 'b' }));
    expect(withAxis({ trajectories: full }, FACTS)).to.match(/at most/);
  });
});
