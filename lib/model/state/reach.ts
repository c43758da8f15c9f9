// Which bytes are needed to read a variable: its own, and those behind the pointers on its path and in its value.
import { LIMITS } from '../bounds/limits.js';
import type { Memory } from './memory.js';
import { holdsPointers } from './pointers.js';
import {
  isCharacters,
  isLeaf,
  NULL_OFFSET,
  SEQUENCE_HEADER_BYTES,
  type StructType,
  sizeOf,
  strideOf,
  type Type,
} from './type.js';
import { follow, type Variable } from './variable.js';

/** Size of a pointer, and of the head of a sequence. */
const HOP_BYTES = 8;

/** The most pointers that one read follows. */
export const MOST_POINTERS = LIMITS.pointers.each;
/** So many bytes behind a pointer count as a pointer more. */
const BYTES_OF_POINTER = 16 * 1024;

/** What is to be read leads through more pointers than one read follows. */
export class TooManyPointersError extends Error {
  override readonly name = 'TooManyPointersError';

  constructor(path: string) {
    super(
      `a read follows at most ${MOST_POINTERS} pointers, 16 KB behind one count as one more, and with ${path} there are more; ask for parts of it`,
    );
  }
}

/** The pointers that one read may still follow. */
export class PointerBudget {
  private left = MOST_POINTERS;

  /** Counts pointers and the bytes behind them, which many pointers may lead to. Throws a TooManyPointersError. */
  spend({ path }: Variable, pointers: number, bytes: number): void {
    this.left -= pointers + Math.floor(bytes / BYTES_OF_POINTER);
    if (this.left < 0) throw new TooManyPointersError(path);
  }
}

/**
 * Which part of a variable: all of it; the single values that `leavesOf` finds; or only what tells where it lies, whether
 * it exists and how many elements it has.
 */
export type Part = 'all' | 'leaves' | 'head';

type IsThere = (offsetBytes: number, lengthBytes: number) => boolean;

/**
 * Whether all bytes that reading the variable needs are there. `isThere` is called for every range, except ranges
 * behind a pointer that is not there itself. The head of a variable with a single value is that value. Throws a
 * TooManyPointersError when all of the variable is behind more pointers than the budget has.
 * @param mostBytes so many are read of elements that lie side by side, from the first one on.
 */
export function isReachable(
  variable: Variable,
  part: Part,
  memory: Memory,
  isThere: IsThere,
  budget = new PointerBudget(),
  mostBytes = Number.POSITIVE_INFINITY,
): boolean {
  let offset = variable.offsetBytes;
  for (const hop of variable.hops) {
    if (!isThere(offset, HOP_BYTES)) return false;
    offset = follow(hop, memory, offset);
    if (offset < 0) return true;
  }
  const { type } = variable;
  if (part === 'head') return isHeadReachable(type, offset, isThere);
  return new Reach(variable, part, memory, isThere, budget, mostBytes).hasValue(type, offset);
}

function isHeadReachable(type: Type, offset: number, isThere: IsThere): boolean {
  if (type.kind === 'pointer' || type.kind === 'sequence') return isThere(offset, HOP_BYTES);
  return isLeaf(type) || isCharacters(type) ? isThere(offset, sizeOf(type)) : true;
}

/** One walk through a value. */
class Reach {
  constructor(
    private readonly variable: Variable,
    private readonly part: Part,
    private readonly memory: Memory,
    private readonly isThere: IsThere,
    private readonly budget: PointerBudget,
    private readonly mostBytes: number,
  ) {}

  hasValue(type: Type, offset: number): boolean {
    switch (type.kind) {
      case 'struct':
        return this.hasMembers(type, offset);
      case 'pointer': {
        if (!this.isThere(offset, HOP_BYTES)) {
          this.spend(0);
          return false;
        }
        return this.hasTarget(type.target, offset);
      }
      case 'array':
        return this.hasElements(type.element, offset, type.length);
      case 'sequence': {
        if (!this.isThere(offset, HOP_BYTES)) return false;
        const length = this.memory.view.getUint32(offset, true);
        return this.hasElements(type.element, offset + SEQUENCE_HEADER_BYTES, length);
      }
      default:
        return this.isThere(offset, sizeOf(type));
    }
  }

  /** An object's components do not lie side by side. All are looked at, so that all ranges are asked for. */
  private hasMembers({ members }: StructType, offset: number): boolean {
    if (this.part === 'leaves') return true;
    let all = true;
    for (const { type, offsetBytes } of members) all = this.hasValue(type, offset + offsetBytes) && all;
    return all;
  }

  private hasTarget(target: Type, offset: number): boolean {
    const { view } = this.memory;
    const [start, count] = [view.getUint32(offset, true), view.getUint32(offset + 4, true)];
    this.spend(start === NULL_OFFSET ? 0 : this.readOf(count * strideOf(target)));
    return start === NULL_OFFSET || this.hasElements(target, start, count);
  }

  /** Of the bytes of elements that lie side by side, as many as are read. */
  private readOf(bytes: number): number {
    return Math.min(bytes, this.mostBytes);
  }

  /** Single values are behind one pointer: a list of them has as many pointers as names. */
  private spend(bytes: number): void {
    this.budget.spend(this.variable, this.part === 'leaves' ? 0 : 1, bytes);
  }

  /** Of elements that are pointers, or hold some, only a single one has leaves. */
  private hasElements(element: Type, offset: number, count: number): boolean {
    const stride = strideOf(element);
    if (!holdsPointers(element)) return this.isThere(offset, this.readOf(stride * count));
    if (this.part === 'leaves' && count !== 1) return true;
    let all = true;
    for (let index = 0; index < count; index++) all = this.hasValue(element, offset + index * stride) && all;
    return all;
  }
}
