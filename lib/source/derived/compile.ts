// From a parsed expression to functions that compute it: names looked up, units checked. Nothing evaluates its text.
import { type ExpressionTree, parseExpression } from '../../../grammar/expression/index.js';
import type { Value } from '../../model/state/read.js';
import type { Variable } from '../../model/state/variable.js';
import { UnitsError } from '../../model/units/index.js';
import { combined, conversion, isPlain, raised, type UnitsText } from './quantity.js';
import { Change, Integral, LowPass, MovingMean, type OverRows } from './rows.js';

/** The expression cannot be computed; the message is one sentence. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

export interface FormulaRow {
  /** By the source's clock. */
  readonly seconds: number;
  valueOf(variable: Variable): number;
}

/** What variables have at a time. */
export const rowIn = (seconds: number, read: (variable: Variable) => Value | undefined): FormulaRow => ({
  seconds,
  valueOf: (variable) => numberOf(read(variable)),
});

type Compute = (row: FormulaRow) => number;

export interface Compiled {
  readonly units: UnitsText;
  readonly inputs: readonly Variable[];
  readonly compute: Compute;
  /** What it keeps of the rows before; without any it can be computed of one row alone. */
  readonly overRows: readonly OverRows[];
}

interface Part {
  readonly units: UnitsText;
  readonly compute: Compute;
  /** Of a number that was written. */
  readonly constant?: number;
}

/** @param find throws for a path without a variable. */
export function compile(text: string, find: (path: string) => Variable): Compiled {
  const parsed = parseExpression(text);
  if ('problem' in parsed) throw new ExpressionError(parsed.problem);
  const inputs = new Map<string, Variable>();
  const overRows: OverRows[] = [];
  const compiler = new Compiler(find, inputs, overRows);
  try {
    const { units, compute } = compiler.part(parsed.tree);
    if (inputs.size === 0) throw new ExpressionError('an expression has a variable at least');
    return { units, compute, inputs: [...inputs.values()], overRows };
  } catch (error) {
    throw error instanceof UnitsError ? new ExpressionError(error.message) : error;
  }
}

const PLAIN: Readonly<Record<string, (...given: number[]) => number>> = {
  exp: Math.exp,
  ln: Math.log,
  log10: Math.log10,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
};
const OF_ANGLES: Readonly<Record<string, (angle: number) => number>> = { sin: Math.sin, cos: Math.cos, tan: Math.tan };
/** The result has the units of the first, to which the others are converted. */
const OF_ALIKE: Readonly<
  Record<string, { readonly of: (...given: number[]) => number; readonly count: [number, number] }>
> = {
  abs: { of: Math.abs, count: [1, 1] },
  min: { of: Math.min, count: [2, 16] },
  max: { of: Math.max, count: [2, 16] },
  hypot: { of: Math.hypot, count: [2, 16] },
  mod: { of: (value, by) => (value as number) % (by as number), count: [2, 2] },
};
const OVER_ROWS = ['d/dt', 'integral', 'diff', 'mean', 'lowpass'];
const NAMES = [
  ...Object.keys(PLAIN),
  ...Object.keys(OF_ANGLES),
  ...Object.keys(OF_ALIKE),
  'sqrt',
  'atan2',
  ...OVER_ROWS,
];
/** More functions over rows than anybody reads at once. */
const MOST_OVER_ROWS = 8;

class Compiler {
  constructor(
    private readonly find: (path: string) => Variable,
    private readonly inputs: Map<string, Variable>,
    private readonly overRows: OverRows[],
  ) {}

  part(tree: ExpressionTree): Part {
    if (tree.kind === 'number') {
      const { value, units = '1' } = tree;
      conversion(units, units);
      return { units: units === '' ? '1' : units, compute: () => value, constant: value };
    }
    if (tree.kind === 'variable') return this.variable(tree.path);
    if (tree.kind === 'call')
      return this.call(
        tree.name,
        tree.given.map((each) => this.part(each)),
      );
    if (tree.kind === 'negative') {
      const { units, compute, constant } = this.part(tree.of);
      return { units, compute: (row) => -compute(row), ...(constant !== undefined && { constant: -constant }) };
    }
    const [left, right] = [this.part(tree.left), this.part(tree.right)];
    if (tree.operator === '^') return power(left, right);
    return tree.operator === '+' || tree.operator === '-'
      ? sum(left, right, tree.operator)
      : product(left, right, tree.operator);
  }

  private variable(path: string): Part {
    const variable = this.find(path);
    const { kind } = variable.type;
    if (kind !== 'number' && kind !== 'bits' && kind !== 'enumeration')
      throw new ExpressionError(`${variable.path} is not one number`);
    if (variable.access === 'write-only') throw new ExpressionError(`${variable.path} is write-only`);
    this.inputs.set(variable.path, variable);
    return {
      units: variable.units === '--' || variable.units === '' ? '1' : variable.units,
      compute: (row) => row.valueOf(variable),
    };
  }

  private call(name: string, given: readonly Part[]): Part {
    const [first] = given as [Part];
    const requireCount = (least: number, most = least): void => {
      if (given.length < least || given.length > most)
        throw new ExpressionError(
          `${name}() takes ${least === most ? least : `${least} to ${most}`} values, found ${given.length}`,
        );
    };
    if (OVER_ROWS.includes(name)) {
      requireCount(name === 'mean' || name === 'lowpass' ? 2 : 1);
      return this.over(name, given);
    }
    const alike = Object.hasOwn(OF_ALIKE, name) ? OF_ALIKE[name] : undefined;
    if (alike) {
      requireCount(...alike.count);
      const parts = given.map((each) => converted(each, first.units));
      return { units: first.units, compute: (row) => alike.of(...parts.map((each) => each(row))) };
    }
    if (name === 'atan2') {
      requireCount(2);
      const [y, x] = given.map((each) => converted(each, first.units)) as [Compute, Compute];
      return { units: 'rad', compute: (row) => Math.atan2(y(row), x(row)) };
    }
    const angle = Object.hasOwn(OF_ANGLES, name) ? OF_ANGLES[name] : undefined;
    const plain = Object.hasOwn(PLAIN, name) ? PLAIN[name] : undefined;
    if (name !== 'sqrt' && !angle && !plain)
      throw new ExpressionError(`there is no function ${name}; there are ${NAMES.join(', ')}`);
    requireCount(1);
    if (name === 'sqrt') {
      const { units, convert } = raised(first.units, 0.5);
      return { units, compute: (row) => Math.sqrt(convert(first.compute(row))) };
    }
    const compute = converted(first, angle ? 'rad' : '1');
    const of = (angle ?? plain) as (value: number) => number;
    return { units: name.startsWith('a') ? 'rad' : '1', compute: (row) => of(compute(row)) };
  }

  private over(name: string, [first, second]: readonly Part[]): Part {
    if (this.overRows.length >= MOST_OVER_ROWS)
      throw new ExpressionError(`an expression has at most ${MOST_OVER_ROWS} functions over rows`);
    const { units, compute } = first as Part;
    const perSecond = combined(units, 's', -1);
    const timesSecond = combined(units, 's', 1);
    const keep = (rows: OverRows, result: UnitsText, convert: (value: number) => number = (value) => value): Part => {
      this.overRows.push(rows);
      return { units: result, compute: (row) => rows.take(row.seconds, convert(compute(row))) };
    };
    if (name === 'd/dt') return keep(new Change(true), perSecond.units, perSecond.left);
    if (name === 'integral') return keep(new Integral(), timesSecond.units, timesSecond.left);
    if (name === 'diff') return keep(new Change(false), units);
    const seconds = secondsOf(name, second as Part);
    return keep(name === 'mean' ? new MovingMean(seconds) : new LowPass(seconds), units);
  }
}

function secondsOf(name: string, { constant, units }: Part): number {
  const seconds = constant === undefined ? Number.NaN : units === '1' ? constant : conversion(units, 's')(constant);
  if (!(seconds > 0 && seconds <= 3600))
    throw new ExpressionError(`${name}(x, seconds) takes a number of seconds above 0, up to 3600`);
  return seconds;
}

function numberOf(value: Value | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? Number(value)
    : Number.NaN;
}

function converted({ units, compute }: Part, to: UnitsText): Compute {
  if (units === to) return compute;
  if (to === 'rad' && units === '1') return compute;
  const convert = conversion(units, to);
  return (row) => convert(compute(row));
}

function sum(left: Part, right: Part, operator: '+' | '-'): Part {
  const other = converted(right, left.units);
  const sign = operator === '+' ? 1 : -1;
  return { units: left.units, compute: (row) => left.compute(row) + sign * other(row) };
}

function product(left: Part, right: Part, operator: '*' | '/'): Part {
  const isQuotient = operator === '/';
  const { units, left: one, right: other } = combined(left.units, right.units, isQuotient ? -1 : 1);
  return {
    units,
    compute: isQuotient
      ? (row) => one(left.compute(row)) / other(right.compute(row))
      : (row) => one(left.compute(row)) * other(right.compute(row)),
  };
}

function power(left: Part, right: Part): Part {
  if (!isPlain(right.units)) throw new ExpressionError(`an exponent has no units, found ${right.units}`);
  if (right.constant !== undefined) {
    const { units, convert } = raised(left.units, right.constant);
    const exponent = right.constant;
    return { units, compute: (row) => convert(left.compute(row)) ** exponent };
  }
  if (left.units !== '1') throw new ExpressionError(`a power of ${left.units} has a number as its exponent`);
  return { units: '1', compute: (row) => left.compute(row) ** right.compute(row) };
}
