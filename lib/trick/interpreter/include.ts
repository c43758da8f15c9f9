// The one form in which a block includes a file: `exec(open("Modified_data/x.py").read())`.
import type { Expression } from '../../../grammar/trick/index.js';

/** The file's name; undefined for any other expression. */
export function includedFile(expression: Expression): string | undefined {
  const read = soleArgument(expression, 'exec');
  if (read?.kind !== 'call' || read.positional.length > 0 || read.keywords.length > 0) return undefined;
  const { callee } = read;
  if (callee.kind !== 'attribute' || callee.name !== 'read') return undefined;
  const name = soleArgument(callee.object, 'open');
  return name?.kind === 'text' ? name.value : undefined;
}

/** The argument of `name(argument)`; undefined for any other expression. */
function soleArgument(expression: Expression, name: string): Expression | undefined {
  if (expression.kind !== 'call' || expression.callee.kind !== 'name' || expression.callee.name !== name)
    return undefined;
  return expression.positional.length === 1 && expression.keywords.length === 0 ? expression.positional[0] : undefined;
}
