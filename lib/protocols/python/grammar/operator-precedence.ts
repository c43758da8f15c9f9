// Turns operands and operators in the order in which they are written into a tree, by Python's precedence.
import { SyntaxProblem } from './syntax-error.js';
import type { BinaryOperator, Comparison, ComparisonOperator, Expression, Logical, UnaryOperator } from './tree.js';

/** An operator as it stands between or before operands. */
export interface OperatorMark {
  readonly kind: 'prefix' | 'infix';
  readonly at: number;
  readonly operator: string;
}

/** Any number of prefixes and an operand, an infix operator, prefixes and an operand, and so on. */
export type Item = OperatorMark | Expression;

const notPower = 3;
const comparisonPower = 4;
const signPower = 11;
const powerPower = 12;

/** How tightly each infix operator binds; Python reference, section 6.17. */
const infixPowers: ReadonlyMap<string, number> = new Map([
  ['or', 1],
  ['and', 2],
  ...['<', '<=', '>', '>=', '==', '!=', 'in', 'not in', 'is', 'is not'].map((sign) => [sign, comparisonPower] as const),
  ['|', 5],
  ['^', 6],
  ['&', 7],
  ['<<', 8],
  ['>>', 8],
  ['+', 9],
  ['-', 9],
  ['*', 10],
  ['/', 10],
  ['//', 10],
  ['%', 10],
  ['**', powerPower],
]);

/** The tree of a complete sequence. Throws a SyntaxProblem when `not` stands where Python does not allow it. */
export function bindOperators(items: readonly Item[]): Expression {
  return new OperatorBinder(items).bind(0);
}

class OperatorBinder {
  private position = 0;

  constructor(private readonly items: readonly Item[]) {}

  /** Everything from here on that binds at least as tightly as `minimum`. */
  bind(minimum: number): Expression {
    let left = this.operand(minimum);
    for (;;) {
      const mark = this.items[this.position];
      const power = mark?.kind === 'infix' ? (infixPowers.get(mark.operator) ?? 0) : -1;
      if (mark?.kind !== 'infix' || power < minimum) return left;
      left = power === comparisonPower ? this.comparison(left) : this.combine(left, mark.operator, power);
    }
  }

  private operand(minimum: number): Expression {
    const item = this.items[this.position++] as Item;
    if (!isMark(item)) return item;
    if (item.operator === 'not' && minimum > notPower) throw new SyntaxProblem('invalid syntax', item.at, 3);
    const operand = this.bind(item.operator === 'not' ? notPower : signPower);
    return { kind: 'unary', at: item.at, operator: item.operator as UnaryOperator, operand };
  }

  private combine(left: Expression, operator: string, power: number): Expression {
    this.position++;
    if (operator === 'and' || operator === 'or') return this.logical(left, operator, power);
    // The right side of `**` includes signs (`2 ** -1`); the right side of any other operator stops at its own precedence.
    const right = this.bind(operator === '**' ? signPower : power + 1);
    return { kind: 'binary', at: left.at, operator: operator as BinaryOperator, left, right };
  }

  private logical(first: Expression, operator: 'and' | 'or', power: number): Logical {
    const operands = [first, this.bind(power + 1)];
    while (this.takeInfix(operator)) operands.push(this.bind(power + 1));
    return { kind: 'logical', at: first.at, operator, operands };
  }

  private comparison(first: Expression): Comparison {
    const rest: { operator: ComparisonOperator; operand: Expression }[] = [];
    for (;;) {
      const mark = this.items[this.position];
      if (mark?.kind !== 'infix' || infixPowers.get(mark.operator) !== comparisonPower) break;
      this.position++;
      rest.push({ operator: mark.operator as ComparisonOperator, operand: this.bind(comparisonPower + 1) });
    }
    return { kind: 'comparison', at: first.at, first, rest };
  }

  private takeInfix(operator: string): boolean {
    const mark = this.items[this.position];
    if (mark?.kind !== 'infix' || mark.operator !== operator) return false;
    this.position++;
    return true;
  }
}

function isMark(item: Item): item is OperatorMark {
  return item.kind === 'prefix' || item.kind === 'infix';
}
