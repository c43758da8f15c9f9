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
  it('is within its goals up to 50 ms at p99 and 250 ms at worst', () => {
    expect(tooLong({ value: waited(50, 250), echo: waited(0, 0) })).to.deep.equal([]);
    expect(tooLong({ value: waited(50.1, 250), echo: waited(0, 0) })).to.deep.equal([
      "the bystander's p99 was 50.1 ms",
    ]);
    expect(tooLong({ value: waited(50, 250.1), echo: waited(0, 0) })).to.deep.equal(['the bystander waited 250.1 ms']);
  });

  it('is compared with what an echo took on the same machine', () => {
    expect(tooLong({ value: waited(55, 330), echo: waited(5, 40) })).to.deep.equal([]);
    expect(tooLong({ value: waited(55.1, 330.1), echo: waited(5, 40) })).to.have.length(2);
  });
});
