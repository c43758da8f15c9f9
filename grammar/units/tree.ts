// The syntax tree of a units expression: what was written, before any name in it means anything.

export type UnitsTree =
  | NumberTree
  | IdentifierTree
  | ProductTree
  | PowerTree
  | OffsetTree
  | TimeOriginTree
  | LogarithmTree;

export interface NumberTree {
  readonly kind: 'number';
  readonly value: number;
  /** Written without point and exponent: only such a number can be a time origin (`s @ 1970`). */
  readonly isInteger: boolean;
}

export interface IdentifierTree {
  readonly kind: 'identifier';
  readonly name: string;
  /** Column of its first character, from 1. */
  readonly column: number;
}

/** `first` multiplied or divided by each term from left to right; the order decides the last bit of the factor. */
export interface ProductTree {
  readonly kind: 'product';
  readonly first: UnitsTree;
  readonly rest: readonly ProductTerm[];
}

export interface ProductTerm {
  readonly operator: '*' | '/';
  readonly operand: UnitsTree;
}

export interface PowerTree {
  readonly kind: 'power';
  readonly base: UnitsTree;
  readonly exponent: number;
}

/** `K @ 273.15`: the zero of the new units, in units of `base`. */
export interface OffsetTree {
  readonly kind: 'offset';
  readonly base: UnitsTree;
  readonly origin: NumberTree;
}

/** `s since 1970-01-01 00:00`: the origin is a date, kept as text. */
export interface TimeOriginTree {
  readonly kind: 'timeOrigin';
  readonly base: UnitsTree;
  readonly origin: string;
}

/** `lg(re 1 mW)`. */
export interface LogarithmTree {
  readonly kind: 'logarithm';
  readonly logarithm: 'lg' | 'ln' | 'lb';
  readonly reference: UnitsTree;
}

/** Why a text is no units expression; the sentence names the column too. */
export interface UnitsProblem {
  readonly message: string;
  /** From 1; when something is missing at the end, one past the end. */
  readonly column: number;
}
