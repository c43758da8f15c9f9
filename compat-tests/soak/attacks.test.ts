// When an attack counts as stood.
import { expect } from 'chai';
import type { Waited } from '../attacks/bystander.js';
import { faultsOf, type Measured } from './attacks.js';

const waited = (p99Millis: number, worstMillis: number): Waited => ({
  answers: 600,
  unanswered: 0,
  p50Millis: 1,
  p99Millis,
  worstMillis,
});

function measured(value: Waited, overruns: number, echo = waited(0, 0)): Measured {
  return { state: 'alive', megabytes: 100, overruns, output: '', witnessed: { value, health: value, echo } };
}

const SECONDS = 3;
const faults = (run: Measured, quiet?: Measured, attack = {}): readonly string[] =>
  faultsOf(attack, SECONDS, run, quiet);

describe('an attack', () => {
  it('is stood within the goals', () => {
    expect(faults(measured(waited(20, 999), 6))).to.deep.equal([]);
    expect(faults(measured(waited(20, 1000), 6))).to.deep.equal(['a bystander waited 1000 ms']);
    expect(faults({ ...measured(waited(1, 1), 0), state: 'hangs', megabytes: 1500 })).to.deep.equal([
      'it hangs',
      'it had 1500 MB',
    ]);
    expect(faults({ ...measured(waited(1, 1), 0), state: 'ended', megabytes: Number.NaN })).to.have.length(2);
    expect(faults({ ...measured(waited(1, 1), 0), output: 'an internal error' })).to.have.length(1);
  });

  it("is not stood when the bystander's p99 or the late frames are beyond the goals of the bench", () => {
    expect(faults(measured(waited(20.1, 50), 0))).to.deep.equal(["a bystander's p99 was 20.1 ms, more than 20.0"]);
    expect(faults(measured(waited(5, 50), 7))).to.deep.equal(['7 frames were late, more than 6 of 300']);
    expect(faults(measured(waited(5, 50), 60), undefined, { framesPerSecond: 1000 })).to.deep.equal([]);
    expect(faults(measured(waited(5, 50), 61), undefined, { framesPerSecond: 1000 })).to.have.length(1);
  });

  it('is measured against what the machine makes everybody wait, and a server without an attack', () => {
    const quiet = measured(waited(7, 30), 10, waited(4, 20));
    expect(faults(measured(waited(33, 1100), 36, waited(10, 101)), quiet)).to.deep.equal([]);
    expect(faults(measured(waited(33.1, 1102), 37, waited(10, 101)), quiet)).to.have.length(3);
  });
});
