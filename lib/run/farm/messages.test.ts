// What a study and its workers tell each other, as text.
import { expect } from 'chai';
import fc from 'fast-check';
import { FORM, holdingIn, jobIn, outcomeIn, partIn, studyIn, toJson } from './messages.js';
import { filesIn, inParts } from './sent-input.js';

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
        const job = { name: 'n', runs: [run] };
        expect(jobIn(toJson(job))).to.deep.equal(job);
        const row = { run: 3, seed: 1, set: { ...set }, timeSeconds: 0.1, values: { ...read }, units: { a: 'm' } };
        const outcome = { rows: [row], millisPerRun: 0.5 };
        expect(outcomeIn(toJson(outcome))).to.deep.equal(outcome);
      }),
    );
  });

  it('are none when they are of another form, and say nothing of where a run reads and writes', () => {
    for (const text of [
      '',
      'null',
      '{}',
      '{"name":"n","runs":[]}',
      '{"name":"n","runs":[{"run":1}]}',
      '{"worker":"w","jobs":[1]}',
      '{"rows":[],"millisPerRun":{"$n":"NaN"}}',
      '{"part":-1,"text":""}',
      '['.repeat(1e5),
      `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    ])
      for (const read of [studyIn, jobIn, holdingIn, outcomeIn, partIn]) expect(read(text), text).to.equal(undefined);
    const run = { run: 1, seed: 2, set: {}, read: [] };
    const input = { text: 'a = 1', number: 1, isGenerated: false, isOn: true };
    const place = { here: { inputFile: '/etc/passwd', inputDirectories: ['/'], runDirectory: '/etc' } };
    const job = { name: 'n', runs: [{ ...run, runDirectory: '/etc', input: { ...input, ...place } }] };
    expect(jobIn(JSON.stringify(job))).to.deep.equal({ name: 'n', runs: [{ ...run, input }] });
    const facts = { form: FORM, asked: 'q', seconds: 0, lostAfterMillis: 5000 };
    const study = { ...facts, id: 'a'.repeat(32), simulation: 's', fingerprint: 'f', runs: 1 };
    expect(studyIn(JSON.stringify(study))).to.deep.equal(study);
    for (const id of ['>', 'a.b', '', 'A'.repeat(32)])
      expect(studyIn(JSON.stringify({ ...study, id }))).to.equal(undefined);
    for (const wrong of [{ mostSeconds: -1 }, { lostAfterMillis: 0 }, { input: { hash: '', parts: 1e9 } }])
      expect(studyIn(JSON.stringify({ ...study, ...wrong }))).to.equal(undefined);
    expect(outcomeIn('{"rows":[{"run":0,"seed":0,"set":{},"values":{"a":{"$n":"0x1"}}}],"millisPerRun":1}')).to.equal(
      undefined,
    );
  });

  it('have an input file in parts, or none that is another one', () => {
    const bytes = Buffer.alloc(3e5, 'ä');
    const files = [
      { name: 'input.py', kind: 'file', bytes },
      { name: '\ud83d\ude00', error: 'there is no file' },
      { name: 'data', kind: 'directory', error: 'data is not a file' },
    ] as const;
    const { texts, ...facts } = inParts(files);
    expect(facts.parts).to.equal(2);
    const told = texts.map((text, part) => partIn(toJson({ part, text }))?.text ?? '');
    expect(filesIn(facts, told)).to.deep.equal(files);
    expect(() => filesIn(facts, told.slice(1))).to.throw('its input file is another one than the study says');
  });
});
