// Which bytes are needed to read a variable: its own, and those behind the pointers on its path and in its value.
import { LIMITS } from '../bounds/limits.js';
import type { Memory } from './memory.js';
import { holdsPointers } from './pointers.js';
import {
  type Characters,
  isCharacters,
  isLeaf,
  type LeafType,
  NULL_OFFSET,
  type StructType,
  sizeOf,
  strideOf,
  type Type,
} from './type.js';
import { follow, type Variable } from './variable.js';
import { answeredOnce, type ListType, type Sink, typesIn, walk } from './walk.js';

/** Size of a pointer, and of the head of a sequence. */
const HOP_BYTES = 8;
/** Where a pointer has the number of its values. */
const COUNT_AT = 4;

/** Whether all that is read of a value has one place and one length. */
export const hasFixedPlace = answeredOnce(
  (type): boolean => type.kind !== 'pointer' && type.kind !== 'sequence' && typesIn(type).every(hasFixedPlace),
);

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
  const spend = (pointers: number, bytes: number): void => budget.spend(variable, pointers, bytes);
  return new Reach(part, memory, isThere, spend, mostBytes).hasValue(type, offset);
}

function isHeadReachable(type: Type, offset: number, isThere: IsThere): boolean {
  if (type.kind === 'pointer' || type.kind === 'sequence') return isThere(offset, HOP_BYTES);
  return isLeaf(type) || isCharacters(type) ? isThere(offset, sizeOf(type)) : true;
}

/**
 * Visits the ranges of bytes that a value lies in, in order, those behind its pointers too: of a pointer that is not null its
 * count. What a pointer leads to is left out when the visit of the pointer gives false.
 * @returns whether all visits gave true.
 */
export function visitRanges(type: Type, memory: Memory, offset: number, visit: IsThere): boolean {
  return new Ranges('all', memory, visit, () => {}, Number.POSITIVE_INFINITY).hasValue(type, offset);
}

/** Looks at all ranges of a value, so that all are asked for. */
class Reach implements Sink<boolean> {
  /** @param spend counts pointers, and the bytes behind them. */
  constructor(
    private readonly part: Part,
    protected readonly memory: Memory,
    protected readonly isThere: IsThere,
    private readonly spend: (pointers: number, bytes: number) => void,
    private readonly mostBytes: number,
  ) {}

  hasValue(type: Type, offset: number): boolean {
    const isPointer = type.kind === 'pointer';
    // Single values are behind one pointer: a list of them has as many pointers as names.
    if (isPointer && this.part !== 'leaves') this.spend(1, 0);
    if ((isPointer || type.kind === 'sequence') && !this.hasHead(type, offset)) return false;
    return walk(type, this.memory, offset, this);
  }

  protected hasHead(_: Type, offset: number): boolean {
    return this.isThere(offset, HOP_BYTES);
  }

  single(type: LeafType | Characters, _memory: Memory, offset: number): boolean {
    const bytes = sizeOf(type);
    return this.isThere(offset, type.kind === 'array' ? Math.min(bytes, this.mostBytes) : bytes);
  }

  /** Of elements that are pointers, or hold some, only a single one has leaves. */
  elements(element: Type, _memory: Memory, offset: number, count: number, list: ListType): boolean {
    const stride = strideOf(element);
    const bytes = Math.min(stride * count, this.mostBytes);
    if (list.kind === 'pointer') this.spend(0, bytes);
    if (!holdsPointers(element)) return this.isThere(offset, bytes);
    if (this.part === 'leaves' && count !== 1) return true;
    let all = true;
    for (let index = 0; index < count; index++) all = this.hasValue(element, offset + index * stride) && all;
    return all;
  }

  members(type: StructType, _memory: Memory, offset: number): boolean {
    if (this.part === 'leaves') return true;
    // An object's components do not lie side by side, so an object has no size of its own.
    if (type.sizeBytes > 0 && hasFixedPlace(type)) return this.isThere(offset, type.sizeBytes);
    let all = true;
    for (const { type: own, offsetBytes } of type.members) all = this.hasValue(own, offset + offsetBytes) && all;
    return all;
  }

  nothing(): boolean {
    return true;
  }
}

/** Where the values behind a pointer lie is no part of what they are. */
class Ranges extends Reach {
  protected override hasHead(type: Type, offset: number): boolean {
    const isNull = type.kind !== 'pointer' || this.memory.view.getUint32(offset, true) === NULL_OFFSET;
    return isNull ? super.hasHead(type, offset) : this.isThere(offset + COUNT_AT, HOP_BYTES - COUNT_AT);
  }
}
