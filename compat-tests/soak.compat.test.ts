// All of Trick's programs on one server at once, for a few seconds; `npm run soak` runs longer.
import { expect } from 'chai';
import { Soak } from './soak/soak.js';

describe("Trick's programs together", () => {
  it('go on while one of them freezes, steps, writes and loads checkpoints, and others come and go', async () => {
    const { logbook, rounds } = await Soak.run(0.02, { fewestRounds: 2 });
    expect(logbook.failures).to.deep.equal([]);
    expect(rounds).to.be.at.least(2);
    expect(logbook.deeds.get('steps')).to.equal(3 * rounds);
    expect(logbook.deeds.get('checkpoints loaded')).to.be.at.least(rounds);
    for (const [name, { messages }] of logbook.streams) expect(messages, name).to.be.at.least(10);
  });
});
