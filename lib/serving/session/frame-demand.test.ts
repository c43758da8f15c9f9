// The demand for a frame with values that the latest one does not carry.
import { expect } from 'chai';
import { ManualSource } from '../../testing/aids/session-fixture.js';
import { demandFrame, whenFrameComes } from './frame-demand.js';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a demand for a frame', () => {
  it('is a request that changes nothing, and is met when that is answered', async () => {
    const source = new ManualSource();
    let comes = 0;
    whenFrameComes(source, () => comes++);
    const met = demandFrame(source);
    expect(source.waiting.map(({ request }) => request)).to.deep.equal([{ kind: 'look' }, { kind: 'look' }]);
    await turn();
    expect(comes).to.equal(0);
    for (const { answer } of source.waiting) answer({ frame: 2 });
    await met;
    expect(comes).to.equal(1);
  });

  it('of a simulation that has ended fails, or is forgotten where nobody waits', async () => {
    const source = new ManualSource();
    let comes = 0;
    whenFrameComes(source, () => comes++);
    const refused = demandFrame(source).catch((error: Error) => error.message);
    for (const { refuse } of source.waiting) refuse(new Error('the simulation has ended'));
    expect(await refused).to.equal('the simulation has ended');
    await turn();
    expect(comes).to.equal(0);
  });
});
