// When a bystander has waited too long.
import { expect } from 'chai';
import type { Waited } from '../attacks/bystander.js';
import { tooLong } from './waited.js';

const waited = (p99Millis: number, worstMillis: number): Waited => ({
  answers: 1000,
  unanswered: 0,
  p50Millis: 1,
  p99Millis,
  worstMillis,
});

describe('what a bystander waited', () => {
  it('is within its goals up to 20 ms at p99 and 100 ms at worst', () => {
    expect(tooLong({ value: waited(20, 100), echo: waited(0, 0) })).to.deep.equal([]);
    expect(tooLong({ value: waited(20.1, 100), echo: waited(0, 0) })).to.deep.equal([
      "the bystander's p99 was 20.1 ms",
    ]);
    expect(tooLong({ value: waited(20, 100.1), echo: waited(0, 0) })).to.deep.equal(['the bystander waited 100.1 ms']);
  });

  it('is compared with what an echo took on the same machine', () => {
    expect(tooLong({ value: waited(25, 180), echo: waited(5, 40) })).to.deep.equal([]);
    expect(tooLong({ value: waited(25.1, 180.1), echo: waited(5, 40) })).to.have.length(2);
  });
});
