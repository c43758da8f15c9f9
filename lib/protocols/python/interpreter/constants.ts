// An expression as it is without a session: the values of names, and constants of modules, stand in their places.
import type { Expression } from '../grammar/index.js';
import { HostVariable, isModule, type ScriptValue } from './values.js';

/**
 * The expression with the values of names that have one; undefined when one of them cannot stand in an expression.
 * @param meaningOf the value or module of a name of the expression; undefined for a name without one.
 * @param modules names of modules that mean the same without a session.
 */
export function withValues(
  expression: Expression | undefined,
  meaningOf: (name: string) => ScriptValue | undefined,
  modules: ReadonlySet<string>,
): Expression | undefined {
  let isPossible = expression !== undefined;
  /** Of a name, and of what belongs to a module. */
  const meaning = (node: Expression): ScriptValue | undefined => {
    if (node.kind === 'name') return meaningOf(node.name);
    const holder = node.kind === 'attribute' ? meaning(node.object) : undefined;
    return node.kind === 'attribute' && holder !== undefined && isModule(holder)
      ? holder.attribute(node.name)
      : undefined;
  };
  const replaced = (node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map(replaced);
    const value = meaning(node as Expression);
    const literal = value === undefined ? undefined : literalOf(value, (node as Expression).at, modules);
    const isName = (node as Expression).kind === 'name';
    isPossible &&= !isName || value === undefined || literal !== undefined;
    if (literal || isName) return literal ?? node;
    return Object.fromEntries(Object.entries(node).map(([key, part]) => [key, replaced(part)]));
  };
  const made = replaced(expression) as Expression;
  return isPossible ? made : undefined;
}

function literalOf(value: ScriptValue, at: number, modules: ReadonlySet<string>): Expression | undefined {
  if (value === null) return { kind: 'none', at };
  if (value instanceof HostVariable) return { kind: 'name', name: value.path, at };
  if (isModule(value) && modules.has(value.name)) return { kind: 'name', name: value.name, at };
  switch (typeof value) {
    case 'boolean':
      return { kind: 'boolean', value, at };
    case 'bigint':
      return { kind: 'integer', value, at };
    case 'number':
      return { kind: 'float', value, at };
    case 'string':
      return { kind: 'text', value, at };
    default:
      return undefined;
  }
}
