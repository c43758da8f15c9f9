// Checkpoints parsed: what the grammar takes, and what it says of anything else.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../lib/testing/aids/any-character.js';
import { runs } from '../../lib/testing/aids/run-counts.js';
import { encodeCharacter, encodeText, lineAt, parseCheckpoint } from './index.js';

const reference = readFileSync(new URL('../../../compat-tests/reference/checkpoint.txt', import.meta.url), 'latin1');

const literalOf = (literal: string) => {
  const statement = parseCheckpoint(`a.b = ${literal};`).statements?.[0];
  return statement?.kind === 'assignment' ? statement.value : undefined;
};

describe('checkpoint grammar', () => {
  it('reads an assignment with members and indices', () => {
    expect(parseCheckpoint('fx.all.sensors[1].ok = true;')).to.deep.equal({
      statements: [
        {
          kind: 'assignment',
          at: 0,
          target: { root: 'fx', steps: ['all', 'sensors', 1, 'ok'] },
          value: { kind: 'name', at: 23, name: 'true' },
        },
      ],
    });
  });

  it('reads declarations, comments and clear_all_vars', () => {
    const text = '// Variables\nunsigned long long a[2][3];\nSensor* p;\nstd::string s[1];/* x\n */ clear_all_vars();';
    expect(parseCheckpoint(text).statements).to.deep.equal([
      { kind: 'declaration', at: 13, typeName: 'unsigned long long', name: 'a', extents: [2, 3] },
      { kind: 'declaration', at: 41, typeName: 'Sensor *', name: 'p', extents: [] },
      { kind: 'declaration', at: 52, typeName: 'std::string', name: 's', extents: [1] },
      { kind: 'clear', at: 78 },
    ]);
  });

  const literals: [string, object][] = [
    ['-9223372036854775808', { kind: 'number', at: 6, image: '-9223372036854775808' }],
    ['1e-07', { kind: 'number', at: 6, image: '1e-07' }],
    ['-inf', { kind: 'number', at: 6, image: '-inf' }],
    ['NAN', { kind: 'number', at: 6, image: 'NAN' }],
    ['nanometre', { kind: 'name', at: 6, name: 'nanometre' }],
    ['Trick::Run', { kind: 'name', at: 6, name: 'Trick::Run' }],
    ["'A'", { kind: 'character', at: 6, code: 65 }],
    ["'\\x0'", { kind: 'character', at: 6, code: 0 }],
    ["'\\377'", { kind: 'character', at: 6, code: 255 }],
    ["'\\n'", { kind: 'character', at: 6, code: 10 }],
    ['"say \\"hi\\" \\ it\'s {ok}"', { kind: 'text', at: 6, bytes: 'say "hi" \\ it\'s {ok}' }],
    ['"a\\\\n\\t\\001\\x7f\nb"', { kind: 'text', at: 6, bytes: 'a\\n\t\x01\x7f\nb' }],
    ['L"wide"', { kind: 'text', at: 6, bytes: 'wide' }],
    ['ERROR: TRICK_WCHAR not fully supported yet.', { kind: 'unsaved', at: 6 }],
    ['{}', { kind: 'list', at: 6, items: [] }],
    ['&trick_anon_local_0[2]', { kind: 'address', at: 6, place: { root: 'trick_anon_local_0', steps: [2] } }],
  ];
  for (const [text, value] of literals)
    it(`reads the value ${text}`, () => expect(literalOf(text)).to.deep.equal(value));

  it('reads lists in lists', () => {
    expect(literalOf('\n    {\n        {1, 2},\n        {3}\n    }')).to.deep.include({ kind: 'list', at: 11 });
  });

  const refused: [string, string, number][] = [
    ['a.b = 1', "expected ';' at the end of the statement, found the end of the file", 1],
    ['a.b = 1;\na.c 2;', 'expected \'=\' and a value, found "2"', 2],
    ['a.b = {1, 2;', "expected ',' or '}' in the list, found \";\"", 1],
    ['a.b = "open', 'expected a value, found "\\""', 1],
    ['a[1.5] = 1;', 'an index is a whole number from 0 up', 1],
    ['a[-1] = 1;', 'an index is a whole number from 0 up', 1],
    ['\n\nexit();', 'a checkpoint calls clear_all_vars() and nothing else', 3],
  ];
  for (const [text, message, line] of refused) {
    it(`refuses ${JSON.stringify(text)} and says where`, () => {
      const { error } = parseCheckpoint(text);
      expect(error?.message).to.equal(message);
      expect(lineAt(text, error?.at ?? 0)).to.equal(line);
    });
  }

  it('refuses lists too deep to be arrays without exhausting the stack', () => {
    expect(parseCheckpoint(`a.b = ${'{'.repeat(100_000)};`).error?.message).to.match(/^lists stand at most/);
  });

  for (const [what, part] of [
    ['brackets', 'a<'],
    ['quotes', '"\\'],
    ['comments', '/*a'],
  ] as const) {
    it(`refuses many ${what} that never end before somebody waits for another checkpoint`, () => {
      for (const [before, after] of [
        ['', ''],
        ['x = {', '\\'],
        ['x = {&a', '};'],
      ] as const)
        expect(parseCheckpoint(before + part.repeat(400_000 / part.length) + after).error).not.to.equal(undefined);
      // Each would take a minute if it were looked at from each of its parts to the end.
    }).timeout(30_000);
  }

  it('reads every statement that Trick has written', () => {
    const { statements, error } = parseCheckpoint(reference);
    expect(error).to.equal(undefined);
    expect(statements).to.have.length(reference.split(';\n').length - 1);
  });

  it('reads back texts and characters of any bytes as it spells them', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.nat(255), (bytes, code) => {
        const text = Buffer.from(bytes).toString('latin1');
        expect(literalOf(encodeText(text))).to.deep.equal({ kind: 'text', at: 6, bytes: text });
        expect(literalOf(encodeCharacter(code))).to.deep.equal({ kind: 'character', at: 6, code });
      }),
    );
  });

  it('never throws', () => {
    const soup = fc.string({ unit: fc.constantFrom(...'ab_.[]{}=;,&*()\'"\\/0x1-+e \nERROR:') });
    fc.assert(
      fc.property(fc.oneof(soup, fc.string({ unit: anyCharacter })), (text) => {
        const { statements, error } = parseCheckpoint(text);
        expect(statements === undefined).to.equal(error !== undefined);
      }),
      { numRuns: runs(2000) },
    );
  });
});
