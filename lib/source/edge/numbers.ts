// The single numbers of a simulation elsewhere, but for what its server shows of itself.
import type { Catalog } from '../../model/state/catalog.js';
import { isOverlayObject } from '../../model/state/reserved-names.js';
import { isCharacters, isLeaf, type LeafType } from '../../model/state/type.js';
import { childrenOf, type Variable } from '../../model/state/variable.js';

export type NumberVariable = Variable & { readonly type: LeafType };

export function* numbersIn(catalog: Catalog): Generator<NumberVariable> {
  for (const variable of catalog.variables()) {
    const [top = ''] = variable.path.split(/[.[]/, 1);
    if (!isOverlayObject(top)) yield* singleIn(variable);
  }
}

/** No texts, and nothing behind pointers and in sequences, which has no fixed number of values. */
function* singleIn(variable: Variable): Generator<NumberVariable> {
  const { type, hops } = variable;
  if (hops.length > 0 || isCharacters(type)) return;
  if (isLeaf(type) && type.kind !== 'text') yield variable as NumberVariable;
  else if (type.kind === 'array') for (const child of childrenOf(variable)) yield* singleIn(child);
}
