// What grows with the square of the length is found only by inputs that are long.
import { expect } from 'chai';
import { SEED } from '../../../lib/testing/aids/fuzz-seed.js';
import { Chance } from './chance.js';
import { mutated } from './mutate.js';

const INPUTS = 1000;
const LONGEST_BYTES = 100_000;
const seeds = [Buffer.from('fx.all.w_i = 42;\n'), Buffer.from('trick.var_send_once("fx.all.i")\n')];

describe('changes of inputs', () => {
  const chance = new Chance(SEED);
  const inputs = Array.from({ length: INPUTS }, () => mutated(seeds, chance));

  it('make no input longer than somebody can read', () => {
    expect(Math.max(...inputs.map(({ length }) => length))).to.equal(LONGEST_BYTES);
  });

  it('repeat a short part until an input is as long as one may be', () => {
    const repeated = inputs.filter((input) => {
      const middle = input.subarray(LONGEST_BYTES / 4, LONGEST_BYTES / 4 + 200);
      return middle.length === 200 && [1, 2, 3, 4, 5, 6].some((part) => hasPeriod(middle, part));
    });
    expect(repeated.length).to.be.above(INPUTS / 50);
  });
});

const hasPeriod = (bytes: Buffer, length: number): boolean =>
  bytes.subarray(length).equals(bytes.subarray(0, bytes.length - length));
