// The simulation's variables as blocks see them, in the latest frame.

import type { Catalog } from '../../../model/state/catalog.js';
import type { Memory } from '../../../model/state/memory.js';
import { readValue } from '../../../model/state/read.js';
import {
  isCharacters,
  isLeaf,
  NULL_OFFSET,
  SEQUENCE_HEADER_BYTES,
  strideOf,
  type Type,
} from '../../../model/state/type.js';
import { follow, locate, type Variable } from '../../../model/state/variable.js';
import { type Elements, Quantity, type ScriptValue } from '../../python/index.js';
import { fromModel } from '../commands/convert.js';
import { DOUBLE, FLOAT, SimulationVariable } from './simulation-variable.js';

/** Where variables are read. */
interface ReadFrom {
  readonly catalog: Pick<Catalog, 'find'>;
  readonly frame: { readonly memory: Memory };
}

/**
 * A single value, or a proxy for an object, structure or array; undefined when there is no variable at the path. A null
 * pointer to a structure is None, and what is behind a null pointer a proxy that prints NULL. Trick: SWIG
 */
export function valueAt(path: string, { catalog, frame }: ReadFrom): ScriptValue | undefined {
  const variable = catalog.find(path);
  if (!variable) return undefined;
  const { type } = variable;
  const offset = locate(variable, frame.memory);
  if (offset < 0 && !isBehindNull(variable, frame.memory)) return undefined;
  if (type.kind === 'pointer' && type.target.kind === 'struct' && isNull(frame.memory, offset)) return null;
  if (offset < 0) return new SimulationVariable(variable.path, variable);
  if (!isLeaf(type) && !isCharacters(type)) return new SimulationVariable(variable.path, variable);
  return asQuantity(fromModel(readValue(type, frame.memory, offset), isWhole(type)), type, variable);
}

const isNull = ({ view }: Memory, offset: number): boolean =>
  offset < 0 || view.getUint32(offset, true) === NULL_OFFSET;

/** Whether a pointer on the path of a variable that is not there is null. */
function isBehindNull({ offsetBytes, hops }: Variable, memory: Memory): boolean {
  let offset = offsetBytes;
  for (const hop of hops) {
    if (hop.through === 'pointer' && isNull(memory, offset)) return true;
    offset = follow(hop, memory, offset);
    if (offset < 0) return false;
  }
  return false;
}

/** The elements of an array or container; undefined for a variable without elements. */
export function elementsAt({ path, variable }: SimulationVariable, source: ReadFrom): Elements | undefined {
  const { memory } = source.frame;
  const offset = locate(variable, memory);
  if (offset < 0) return undefined;
  const place = placeOf(variable.type, memory, offset);
  if (!place) return undefined;
  const { element, length } = place;
  if (isLeaf(element) || isCharacters(element)) return { length, all: () => values(place, variable, memory) };
  return { length, all: () => proxies(path, length, source) };
}

/** Elements side by side in a memory. */
interface ElementsPlace {
  readonly element: Type;
  readonly offset: number;
  readonly length: number;
}

function placeOf(type: Type, { view }: Memory, offset: number): ElementsPlace | undefined {
  switch (type.kind) {
    case 'array':
      return { element: type.element, offset, length: type.length };
    case 'sequence':
      return { element: type.element, offset: offset + SEQUENCE_HEADER_BYTES, length: view.getUint32(offset, true) };
    case 'pointer': {
      const target = view.getUint32(offset, true);
      return {
        element: type.target,
        offset: target,
        length: target === NULL_OFFSET ? 0 : view.getUint32(offset + 4, true),
      };
    }
    default:
      return undefined;
  }
}

/** All values of one frame, read at once: when the block has given way, the memory may be another frame's. */
function values({ element, offset, length }: ElementsPlace, variable: Variable, memory: Memory): ScriptValue[] {
  const strideBytes = strideOf(element);
  const isInteger = isWhole(element);
  const elements: ScriptValue[] = [];
  for (let index = 0; index < length; index++)
    elements.push(
      asQuantity(fromModel(readValue(element, memory, offset + index * strideBytes), isInteger), element, variable),
    );
  return elements;
}

function* proxies(path: string, length: number, source: ReadFrom): Generator<ScriptValue> {
  for (let index = 0; index < length; index++) yield valueAt(`${path}[${index}]`, source) ?? null;
}

const isWhole = (type: Type): boolean =>
  type.kind === 'bits' ||
  type.kind === 'enumeration' ||
  (type.kind === 'number' && type.name !== 'float' && type.name !== 'double');

/** Gives a number its units, as Trick wraps it, and C++'s way to show it; a label of an enumeration is a plain int. */
function asQuantity(value: ScriptValue, type: Type, { units }: Variable): ScriptValue {
  if (typeof value !== 'number' && typeof value !== 'bigint' && typeof value !== 'boolean') return value;
  if (type.kind === 'enumeration') return value;
  return new Quantity(value, units, type.kind === 'number' && type.name === 'float' ? FLOAT : DOUBLE);
}
