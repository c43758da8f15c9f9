// Expressions over variables.
export { parseExpression } from './parser.js';
export type { ExpressionTree } from './tree.js';
