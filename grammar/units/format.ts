// Units tree to text; the text parses back to the same tree.
import type { UnitsTree } from './tree.js';

/** One spelling for each tree: blank to multiply, `/` to divide, `^` for powers, parentheses only where the tree needs them. */
export function formatUnits(tree: UnitsTree): string {
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
