// Values on a command line and on a terminal.
import { expect } from 'chai';
import type { Description, TrickValue } from '../trick/index.js';
import { UsageError } from './usage.js';
import { formatLine, formatValue, jsonOf, jsonText, parseValue, printable, printableLines } from './value-text.js';

const described = (kind: Description['type']['kind'], elements = 1): Description => ({
  name: 'v',
  type: { code: 0, name: kind, kind },
  elements,
});

describe('formatValue', () => {
  const cases: readonly (readonly [TrickValue | undefined, string])[] = [
    [0.1, '0.1'],
    [-0, '-0'],
    [Number.NaN, 'nan'],
    [Number.NEGATIVE_INFINITY, '-inf'],
    [9007199254740993n, '9007199254740993'],
    [[1, 2.5], '[1, 2.5]'],
    ['a b', 'a b'],
    ['\x1b[2J\n', '\\x1b[2J\\x0a'],
    [undefined, 'BAD_REF'],
  ];
  for (const [value, text] of cases) {
    it(`shows ${text}`, () => {
      expect(formatValue(value)).to.equal(text);
    });
  }

  it('puts name, value and units in columns, and no units where there are none', () => {
    expect(formatLine('x', { value: 1.5, units: 'm' })).to.equal('x\t1.5\tm');
    expect(formatLine('x', { value: 1.5, units: '--' })).to.equal('x\t1.5');
  });
});

describe('texts of strangers', () => {
  const strange = 'a\x1b[2J\x7f\x9b\t\n\u200e\u202e\u2028\u{e0001}é→😀';

  it('are shown without what a terminal acts on', () => {
    const shown = 'a\\x1b[2J\\x7f\\x9b\t\n\\x200e\\x202e\\x2028\\xe0001é→😀';
    expect(printableLines(strange)).to.equal(shown);
    expect(printable(strange)).to.equal(shown.replace('\t', '\\x09').replace('\n', '\\x0a'));
  });

  it('are the same texts in JSON', () => {
    const text = jsonText({ [strange]: [strange] }, 2);
    expect(text).not.to.match(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(JSON.parse(text)).to.deep.equal({ [strange]: [strange] });
  });
});

describe('jsonOf', () => {
  it('parses JSON, and keeps the digits of large integers as text', () => {
    const words = ['1.5', '[1, 2]', 'LANDED', '9007199254740991', '1234567890123456789', '-1e30', '"5"'];
    const values = [1.5, [1, 2], 'LANDED', 9007199254740991, '1234567890123456789', -1e30, '5'];
    expect(words.map(jsonOf)).to.deep.equal(values);
  });
});

describe('parseValue', () => {
  const cases: readonly (readonly [Description, string, unknown])[] = [
    [described('floating'), '-1.5e3', -1500],
    [described('floating'), 'inf', Number.POSITIVE_INFINITY],
    [described('floating'), 'nan', Number.NaN],
    [described('bigint'), '-9007199254740993', -9007199254740993n],
    [described('boolean'), 'True', true],
    [described('boolean'), '0', 0],
    [described('enumeration'), 'ENTRY', 'ENTRY'],
    [described('enumeration'), '7', 7],
    [described('text'), '[1, 2]', '[1, 2]'],
    [described('character'), '65', 65],
    [described('character'), 'Orion', 'Orion'],
    [
      described('integer', 6),
      '[[1,2,3],[4,5,6]]',
      [
        [1, 2, 3],
        [4, 5, 6],
      ],
    ],
    [described('boolean', 2), '[true, false]', [true, false]],
    [described('integer', 2), '[]', []],
  ];
  for (const [description, text, value] of cases) {
    it(`takes ${text} for a value of kind ${description.type.kind}`, () => {
      expect(parseValue(text, description)).to.deep.equal(value);
    });
  }

  for (const [kind, text] of [
    ['floating', 'abc'],
    ['floating', ''],
    ['boolean', 'maybe'],
    ['integer', '[1, 2'],
    ['integer', '[1]]'],
    ['integer', '[1][2]'],
  ] as const) {
    it(`refuses ${text || 'nothing'} for a value of kind ${kind}`, () => {
      expect(() => parseValue(text, described(kind))).to.throw(UsageError);
    });
  }
});
