// Units expressions parsed.
import { expect } from 'chai';
import fc from 'fast-check';
import { anyCharacter } from '../../lib/testing/aids/any-character.js';
import { maxUnitsLength, maxUnitsNesting, parseUnits } from './parser.js';
import type { UnitsTree } from './tree.js';

function treeOf(text: string): UnitsTree {
  const parsed = parseUnits(text);
  if ('problem' in parsed) throw new Error(parsed.problem.message);
  return parsed.tree;
}

function messageOf(text: string): string {
  const parsed = parseUnits(text);
  return 'problem' in parsed ? parsed.problem.message : 'no problem';
}

const name = (identifier: string, column: number): UnitsTree => ({ kind: 'identifier', name: identifier, column });
const number = (value: number, isInteger = true) => ({ kind: 'number', value, isInteger }) as const;
const power = (base: UnitsTree, exponent: number): UnitsTree => ({ kind: 'power', base, exponent });
const product = (first: UnitsTree, ...operands: UnitsTree[]): UnitsTree => ({
  kind: 'product',
  first,
  rest: operands.map((operand) => ({ operator: '*', operand })),
});

describe('units parser', () => {
  it('reads a product with a quotient from left to right', () => {
    const rest = [
      { operator: '/', operand: name('s', 5) },
      { operator: '*', operand: name('kg', 7) },
    ] as const;
    expect(treeOf('m / s kg')).to.deep.equal({ kind: 'product', first: name('m', 1), rest });
  });

  for (const text of ['m s', 'm  s', 'm.s', 'm*s', 'm·s', 'm-s', 'm\ts', 'm(s)', '(m)s', '(m)(s)']) {
    it(`reads ${JSON.stringify(text)} as m times s`, () => {
      expect(treeOf(text)).to.deep.equal(product(name('m', text.indexOf('m') + 1), name('s', text.indexOf('s') + 1)));
    });
  }

  for (const text of ['m/s', 'm / s', 'm per s', 'm PER s', 'm /s', '(m)per s']) {
    it(`reads ${JSON.stringify(text)} as m divided by s`, () => {
      const operand = name('s', text.length);
      const first = name('m', text.indexOf('m') + 1);
      expect(treeOf(text)).to.deep.equal({ kind: 'product', first, rest: [{ operator: '/', operand }] });
    });
  }

  const squares = {
    m2: 2,
    'm^2': 2,
    'm**2': 2,
    'm²': 2,
    'm+2': 2,
    'm-2': -2,
    'm^-2': -2,
    'm⁻²': -2,
    'm⁺¹²': 12,
    m0: 0,
  };
  for (const [text, exponent] of Object.entries(squares)) {
    it(`reads ${text} as m to the ${exponent}`, () => {
      expect(treeOf(text)).to.deep.equal(power(name('m', 1), exponent));
    });
  }

  const points: Record<string, UnitsTree> = {
    'm 2.5': product(name('m', 1), number(2.5, false)),
    'm2.5': product(power(name('m', 1), 2), number(0.5, false)),
    'm.5': product(name('m', 1), number(5)),
    'm^2.5': product(power(name('m', 1), 2), number(5)),
    '(m)^2.5': product(power(name('m', 2), 2), number(0.5, false)),
    'm2-3': product(power(name('m', 1), 2), number(-3)),
    'm -2': product(name('m', 1), number(-2)),
    '2-3': power(number(2), -3),
    '1.2.3': product(number(1.2, false), number(0.3, false)),
  };
  for (const [text, tree] of Object.entries(points)) {
    it(`reads ${text} as libudunits2 does`, () => {
      expect(treeOf(text)).to.deep.equal(tree);
    });
  }

  for (const text of ['K @ 273.15', 'K@273.15', 'K from 273.15', 'K AFTER 273.15', 'K since273.15', 'K ref 273.15']) {
    it(`reads ${text} as an offset`, () => {
      expect(treeOf(text)).to.deep.equal({ kind: 'offset', base: name('K', 1), origin: number(273.15, false) });
    });
  }

  for (const origin of [
    '1970-01-01',
    '1970-1-1 0:0:0',
    '19700101T000000',
    '1970-01-01 00:00:00.5 UTC',
    '1970-01-01 00:00 +1:00',
  ]) {
    it(`reads ${origin} as a date`, () => {
      expect(treeOf(`s since ${origin}`)).to.deep.equal({ kind: 'timeOrigin', base: name('s', 1), origin });
    });
  }

  const logarithms = { 'lg(re mW)': 'lg', 'log(re mW)': 'lg', 'ln ( RE: mW)': 'ln', 'lb(re mW)': 'lb' } as const;
  for (const [text, logarithm] of Object.entries(logarithms)) {
    it(`reads ${text} as the logarithm ${logarithm}`, () => {
      const reference = name('mW', text.indexOf('mW') + 1);
      expect(treeOf(text)).to.deep.equal({ kind: 'logarithm', logarithm, reference });
    });
  }

  for (const identifier of [
    'µm',
    '°C',
    'Å',
    'Ω',
    'ångström',
    'π',
    '′',
    '″',
    '℃',
    '%',
    "'",
    '"',
    'H2O',
    'water_4C',
    'percent',
    'reference',
  ]) {
    it(`reads ${identifier} as one identifier`, () => {
      expect(treeOf(identifier)).to.deep.equal(name(identifier, 1));
    });
  }

  it('reads empty text as the number 1', () => {
    expect(treeOf('')).to.deep.equal(number(1));
  });

  const problems: Record<string, string> = {
    ' m': 'expected a unit, a number or "(", found " " at column 1',
    'm ': 'expected a unit, a number or "(", found the end at column 3',
    'm//s': 'expected a unit, a number or "(", found "/" at column 3',
    'm - 2': 'expected a unit, a number or "(", found "-" at column 3',
    'm ^2': 'expected a unit, a number or "(", found "^2" at column 3',
    'm)': 'expected an operator or the end, found ")" at column 2',
    '(m': 'expected ")", found the end at column 3',
    'lg(re mW': 'expected ")", found the end at column 9',
    'K @ m': 'expected a number or a date, found "m" at column 5',
    'K @ 5 m': 'expected an operator or the end, found " " at column 6',
    'm^2s': 'expected an operator or the end, found "s" at column 4',
    'm😀': 'expected an operator or the end, found "😀" at column 2',
    'm\ns': 'expected an operator or the end, found "\\n" at column 2',
  };
  for (const [text, message] of Object.entries(problems)) {
    it(`says what is wrong with ${JSON.stringify(text)}`, () => {
      expect(messageOf(text)).to.equal(message);
    });
  }

  it('refuses text over the longest length', () => {
    expect(messageOf('m'.repeat(maxUnitsLength))).to.equal('no problem');
    expect(messageOf('m'.repeat(maxUnitsLength + 1))).to.equal(
      'expected at most 256 characters, found 257 at column 257',
    );
  });

  it('refuses parentheses over the deepest nesting', () => {
    const nested = (depth: number) => `${'('.repeat(depth)}m${')'.repeat(depth)}`;
    expect(messageOf(nested(maxUnitsNesting))).to.equal('no problem');
    expect(messageOf(nested(maxUnitsNesting + 1))).to.equal(
      'expected at most 32 parentheses inside each other, found more at column 33',
    );
  });

  it('answers any text with a tree or a problem whose column lies in the text or one past it', () => {
    const piece = fc.constantFrom(
      'm',
      'kg',
      '2',
      '-1',
      '.',
      ' ',
      '/',
      '*',
      '^',
      '²',
      '(',
      ')',
      '@',
      'per',
      'lg(re ',
      '%',
      '-',
      '·',
    );
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(piece).map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(text, (anyText) => {
        const parsed = parseUnits(anyText);
        if ('problem' in parsed) expect(parsed.problem.column).to.be.within(1, anyText.length + 1);
      }),
    );
  });
});
