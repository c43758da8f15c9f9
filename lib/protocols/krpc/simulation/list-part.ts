// A part of an array's numbers in each frame, so that an array of any size can be read in pieces.
import type { Frame } from '../../../model/frame/reader.js';
import { readLeaf } from '../../../model/state/memory.js';
import { describeType, isCharacters, isLeaf, type Type } from '../../../model/state/type.js';
import { leavesOf } from '../../../model/state/variable.js';
import type { Reference } from '../../../serving/session/reference.js';
import { type FrameValue, invalidArgument, invalidOperation } from '../service/procedure.js';

const MOST_VALUES = 10_000;
const MAX_RANK = 16 as number;

/** Throws a ServiceError for what is no array of numbers, and for a part that cannot be. */
export function partOf(reference: Reference, first: number, count: number): FrameValue {
  const { alias, current, conversion } = reference;
  requireNumbers(alias, current?.type);
  if (first < 0) throw invalidArgument(`first is an index from 0 up, not ${first}`);
  if (count < 0 || count > MOST_VALUES)
    throw invalidArgument(`count is a number from 0 to ${MOST_VALUES}, not ${count}`);
  const read = (frame: Frame): number[] => {
    const computed = reference.computedIn(frame);
    if (computed !== undefined)
      return ([computed] as unknown[])
        .flat(MAX_RANK)
        .slice(first, first + count)
        .map(Number);
    const leaves = reference.current && leavesOf(reference.current, frame.memory);
    if (!leaves) throw invalidOperation(`${alias} is not there now`);
    const { element, offsetBytes, strideBytes } = leaves;
    const length = Math.max(0, Math.min(count, leaves.count - first));
    const values = new Array<number>(length);
    // One loop and no call for each: a stream may read ten thousand in each frame.
    for (let index = 0; index < length; index++) {
      const value = Number(readLeaf(element, frame.memory, offsetBytes + (first + index) * strideBytes));
      values[index] = conversion ? conversion.convert(value) : value;
    }
    return values;
  };
  return { shown: [reference], valueCount: Math.min(count, mostOf(current?.type as Type)), read };
}

function requireNumbers(alias: string, type: Type | undefined): void {
  let element = type;
  let isNested = false;
  while (element && !isLeaf(element) && element.kind !== 'struct') {
    if (isCharacters(element)) break;
    // Sequences and pointers inside an element do not lie side by side.
    if (isNested && element.kind !== 'array') break;
    isNested = true;
    element = element.kind === 'pointer' ? element.target : element.element;
  }
  if (element && isLeaf(element) && element.kind !== 'text') return;
  throw invalidArgument(`${alias} is ${type ? describeType(type) : 'gone'}, which holds no numbers side by side`);
}

/** How many values it can have. */
function mostOf(type: Type): number {
  if (type.kind === 'array') return type.length * mostOf(type.element);
  if (type.kind === 'sequence') return type.capacity * mostOf(type.element);
  return type.kind === 'pointer' ? MOST_VALUES : 1;
}
