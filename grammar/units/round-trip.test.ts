// Units trees are written as text, and the text reads back as the same tree.
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../lib/testing/aids/run-counts.js';
import { parseUnits } from './parser.js';
import type { NumberTree, UnitsTree } from './tree.js';

/** The tree as parsed from text, columns set to 0. */
function reparsed(text: string): unknown {
  const parsed = parseUnits(text);
  if ('problem' in parsed) throw new Error(`${text}: ${parsed.problem.message}`);
  return JSON.parse(JSON.stringify(parsed.tree), (key, value) => (key === 'column' ? 0 : value));
}

const number: fc.Arbitrary<NumberTree> = fc.oneof(
  fc.integer().map((value) => ({ kind: 'number', value, isInteger: true }) as const),
  fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .map((value) => ({ kind: 'number', value: value + 0, isInteger: false }) as const),
);
const identifier = fc
  .constantFrom('m', 'kg', 'µm', '%', 'H2O')
  .map((name): UnitsTree => ({ kind: 'identifier', name, column: 0 }));

const { tree: anyTree } = fc.letrec<{ tree: UnitsTree }>((tie) => {
  const tree = tie('tree');
  const operand = fc.record({ operator: fc.constantFrom('*' as const, '/' as const), operand: tree });
  return {
    tree: fc.oneof(
      { maxDepth: 3 },
      identifier,
      number,
      fc.record({
        kind: fc.constant('product' as const),
        first: tree,
        rest: fc.array(operand, { minLength: 1, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('power' as const), base: tree, exponent: fc.integer({ min: -9, max: 9 }) }),
      fc.record({ kind: fc.constant('offset' as const), base: tree, origin: number }),
      fc.record({ kind: fc.constant('timeOrigin' as const), base: tree, origin: fc.constant('1970-01-01 00:00') }),
      fc.record({
        kind: fc.constant('logarithm' as const),
        logarithm: fc.constantFrom('lg' as const, 'ln' as const),
        reference: tree,
      }),
    ),
  };
});

/** One spelling for each tree: blank to multiply, `/` to divide, `^` for powers, parentheses only where the tree needs them. */
function formatUnits(tree: UnitsTree): string {
  switch (tree.kind) {
    case 'number':
      return formatNumber(tree.value, tree.isInteger);
    case 'identifier':
      return tree.name;
    case 'product':
      return [
        formatFactor(tree.first),
        ...tree.rest.map(({ operator, operand }) => (operator === '/' ? '/' : ' ') + formatFactor(operand)),
      ].join('');
    case 'power':
      return `${formatBase(tree.base)}^${tree.exponent}`;
    case 'offset':
      return `${formatShifted(tree.base)} @ ${formatUnits(tree.origin)}`;
    case 'timeOrigin':
      return `${formatShifted(tree.base)} since ${tree.origin}`;
    case 'logarithm':
      return `${tree.logarithm}(re ${formatShifted(tree.reference)})`;
  }
}

/** A real number keeps its point or exponent, for it is not the same as an integer after `@`. */
function formatNumber(value: number, isInteger: boolean): string {
  if (isInteger && Math.abs(value) >= 1e21) return BigInt(value).toString();
  const text = Object.is(value, -0) ? '-0' : String(value);
  return isInteger || /[.e]/.test(text) ? text : `${text}.`;
}

function formatFactor(tree: UnitsTree): string {
  return tree.kind === 'product' || isShifted(tree) ? `(${formatUnits(tree)})` : formatUnits(tree);
}

function formatBase(tree: UnitsTree): string {
  return tree.kind === 'identifier' ? tree.name : `(${formatUnits(tree)})`;
}

function formatShifted(tree: UnitsTree): string {
  return isShifted(tree) ? `(${formatUnits(tree)})` : formatUnits(tree);
}

function isShifted(tree: UnitsTree): boolean {
  return tree.kind === 'offset' || tree.kind === 'timeOrigin';
}

describe('a units tree that is written', () => {
  const spellings = {
    'kg.m^2/s**2': 'kg m^2/s^2',
    'J per (kg K)': 'J/(kg K)',
    'K@273.15': 'K @ 273.15',
    '(m/s)2': '(m/s)^2',
    'log(re: 1 mW)': 'lg(re 1 mW)',
    '(K @ 5) 2': '(K @ 5) 2',
  };
  for (const [text, expected] of Object.entries(spellings)) {
    it(`is ${expected} for ${text}`, () => {
      const parsed = parseUnits(text);
      expect('tree' in parsed && formatUnits(parsed.tree)).to.equal(expected);
    });
  }

  it('reads back as the same tree', () => {
    fc.assert(
      fc.property(anyTree, (tree) => {
        const text = formatUnits(tree);
        fc.pre(text.length <= 256);
        expect(reparsed(text)).to.deep.equal(JSON.parse(JSON.stringify(tree)));
      }),
      { numRuns: runs(300) },
    );
  });
});
