/** Bounds that keep every block, whoever sent it, within the stack of the parser and of whoever walks its tree. */

/** Brackets inside brackets, and blocks inside blocks. Python allows 200 and 100. */
export const maxNesting = 90;

/** Levels of one expression, operators and attributes included, and operators in a row. */
export const maxExpressionDepth = 400;
