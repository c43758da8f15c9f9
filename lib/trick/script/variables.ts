// The simulation's variables as blocks see them, in the latest frame.
import { readValue } from '../../model/read.js';
import { isCharacters, isLeaf, type Type } from '../../model/type.js';
import { locate, type Variable } from '../../model/variable.js';
import type { Source } from '../../source/source.js';
import { fromModel } from '../interpreter/convert.js';
import { Quantity, type ScriptValue, VariableProxy } from '../interpreter/values.js';

/** A single value, or a proxy for an object, structure or array; undefined when there is no variable at the path. */
export function valueAt(path: string, { catalog, frame }: Source): ScriptValue | undefined {
  const variable = catalog.find(path);
  if (!variable) return undefined;
  const offset = locate(variable, frame.memory);
  if (offset < 0) return undefined;
  const { type } = variable;
  if (!isLeaf(type) && !isCharacters(type)) return new VariableProxy(variable.path, variable);
  return withUnits(fromModel(readValue(type, frame.memory, offset), isWhole(type)), variable);
}

/** The elements of an array or container; undefined for a variable without elements. */
export function elementsAt({ path, variable }: VariableProxy, source: Source): ScriptValue[] | undefined {
  const { memory } = source.frame;
  const offset = locate(variable, memory);
  const { type } = variable;
  if (offset < 0 || type.kind === 'struct') return undefined;
  const length =
    type.kind === 'array' ? type.length : memory.view.getUint32(type.kind === 'pointer' ? offset + 4 : offset, true);
  return Array.from({ length }, (_, index) => valueAt(`${path}[${index}]`, source) ?? null);
}

const isWhole = (type: Type): boolean =>
  type.kind === 'bits' ||
  type.kind === 'enumeration' ||
  (type.kind === 'number' && type.name !== 'float' && type.name !== 'double');

/** A number with units keeps them, as Trick's wrapped numbers do. */
function withUnits(value: ScriptValue, { units }: Variable): ScriptValue {
  const hasUnits = units !== '--' && units !== '1' && units !== '';
  return hasUnits && (typeof value === 'number' || typeof value === 'bigint') ? new Quantity(value, units) : value;
}
