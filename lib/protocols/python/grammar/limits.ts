// Bounds of a block, so that neither the parser nor the interpreter can run out of stack.

/** How deep brackets may lie in brackets, and bodies in bodies. Python allows 200 and 100. */
export const maxNesting = 90;

/** How many loops one comprehension may have: each runs inside the one before it. */
export const maxClauses = 20;

/** How many levels the tree of one expression may have, and how many operators may stand in a row. */
export const maxExpressionDepth = 400;
