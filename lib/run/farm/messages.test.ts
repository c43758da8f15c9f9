// What a study and its workers tell each other, as text.
import { expect } from 'chai';
import fc from 'fast-check';
import { jobIn, outcomeIn, studyIn, toJson } from './messages.js';

const value = fc.oneof(
  fc.double(),
  fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
  fc.boolean(),
  fc.string(),
  fc.array(fc.double()),
);
const values = fc.dictionary(
  fc.string().filter((name) => !/^(__proto__|\$n)$/.test(name)),
  value,
);

describe('messages of a farm', () => {
  it('have every value again, bit for bit', () => {
    fc.assert(
      fc.property(values, values, (set, read) => {
        const run = { run: 3, seed: 2 ** 32 - 1, set: { ...set }, read: ['a.b{cm}'] };
        const job = { name: 'n', runs: [run], lost: 2 };
        expect(jobIn(toJson(job))).to.deep.equal(job);
        const row = { run: 3, seed: 1, set: { ...set }, timeSeconds: 0.1, values: { ...read }, units: { a: 'm' } };
        const outcome = { rows: [row], millisPerRun: 0.5, worker: 'w' };
        expect(outcomeIn(toJson(outcome))).to.deep.equal(outcome);
      }),
    );
  });

  it('are none when they are of another form, and say nothing of where a run reads and writes', () => {
    for (const text of [
      '',
      'null',
      '{}',
      '{"name":"n","runs":[],"lost":0}',
      '{"name":"n","runs":[{"run":1}],"lost":0}',
    ])
      for (const read of [studyIn, jobIn, outcomeIn]) expect(read(text), text).to.equal(undefined);
    const run = { run: 1, seed: 2, set: {}, read: [] };
    const job = { name: 'n', runs: [{ ...run, runDirectory: '/etc', input: { inputFile: '/etc/passwd' } }], lost: 0 };
    expect(jobIn(JSON.stringify(job))).to.deep.equal({ name: 'n', runs: [run], lost: 0 });
    const study = { id: 'a'.repeat(32), simulation: 's', fingerprint: 'f', runs: 1 };
    expect(studyIn(JSON.stringify(study))).to.deep.equal(study);
    for (const id of ['>', 'a.b', '', 'A'.repeat(32)])
      expect(studyIn(JSON.stringify({ ...study, id }))).to.equal(undefined);
    expect(studyIn(JSON.stringify({ ...study, mostSeconds: -1 }))).to.equal(undefined);
    expect(
      outcomeIn('{"rows":[{"run":0,"seed":0,"set":{},"values":{"a":{"$n":"0x1"}}}],"millisPerRun":1,"worker":""}'),
    ).to.equal(undefined);
  });
});
