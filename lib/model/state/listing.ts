// Lists variables one after another, including members of structures; a listing can continue after any variable.
import type { PathStep } from '../../../grammar/path/index.js';
import type { Member, Type } from './type.js';
import { childrenOf, type Variable } from './variable.js';

const topVariable = ({ name, ...place }: Member): Variable => ({ ...place, path: name, hops: [] });

/** Whether a listing or search goes into the type: structures, and plain arrays of them at any depth. */
export const isEntered = (type: Type): boolean =>
  type.kind === 'struct' || (type.kind === 'array' && isEntered(type.element));

/** All variables with values of their own, at and below these. */
export function* listed(tops: Iterable<Member>): Generator<Variable> {
  for (const top of tops) yield* listedWithin(topVariable(top));
}

export function* listedWithin(variable: Variable): Generator<Variable> {
  if (!isEntered(variable.type)) yield variable;
  else for (const child of childrenOf(variable)) yield* listedWithin(child);
}

/** The variables after the one at a path, in the same order. */
export function* listedBehind(tops: readonly Member[], [first, ...steps]: readonly PathStep[]): Generator<Variable> {
  const index = tops.findIndex(({ name }) => first?.kind === 'member' && name === first.name);
  const top = tops[index];
  if (!top) return;
  yield* restWithin(topVariable(top), steps);
  yield* listed(tops.slice(index + 1));
}

/** The variables below `variable` that come after the one to which the steps lead. */
function* restWithin(variable: Variable, [step, ...steps]: readonly PathStep[]): Generator<Variable> {
  const { type } = variable;
  if (!step || !isEntered(type)) return;
  const index = step.kind === 'index' ? step.index : indexOfMember(type, step.name);
  const children = childrenOf(variable, index);
  const child = children.next().value;
  if (child) yield* restWithin(child, steps);
  for (const next of children) yield* listedWithin(next);
}

const indexOfMember = (type: Type, name: string): number =>
  type.kind === 'struct' ? type.members.findIndex((member) => member.name === name) : -1;
