// Checkpoints of which inputs are made reach the server: what is not allowed in one is drawn again, and would never be sent.
import { expect } from 'chai';
import { SEED } from '../../../lib/testing/aids/fuzz-seed.js';
import { Chance } from './chance.js';
import { CHECKPOINTS } from './checkpoint-door.js';
import { mutated } from './mutate.js';

const INPUTS = 500;
const { seeds, isAllowed = () => true, generate } = CHECKPOINTS;

describe('inputs of the door for checkpoints', () => {
  it('are allowed, nearly all, whichever seed they are made of', () => {
    expect(seeds).to.have.length(2);
    for (const seed of seeds) {
      expect(isAllowed(seed)).to.equal(true);
      const chance = new Chance(SEED);
      const inputs = Array.from({ length: INPUTS }, () => mutated([seed], chance));
      expect(inputs.filter(isAllowed).length).to.be.above(0.9 * INPUTS);
    }
  });

  it('are allowed when the grammar makes them', () => {
    const chance = new Chance(SEED);
    const inputs = Array.from({ length: INPUTS }, () => generate(chance));
    expect(inputs.filter(isAllowed)).to.have.length(INPUTS);
  });

  it('name neither the guard nor what tells of the run, and do not clear everything', () => {
    for (const line of ['guard.label = "x";', 'trick_sys.sched.mode = 1;', 'clear_all_vars();'])
      expect(isAllowed(Buffer.from(line)), line).to.equal(false);
    expect(isAllowed(Buffer.from('trick_anon_local_0 = {1, 2};'))).to.equal(true);
  });
});
