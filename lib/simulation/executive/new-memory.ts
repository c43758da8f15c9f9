// Makes memory that belongs to no component, within what all and each client may have.
import { type Allocation, bytesOf, MOST_VARIABLE_BYTES, MOST_VARIABLES } from '../../model/state/allocations.js';
import { clearing } from '../../model/state/clear-value.js';
import { requireDeclaredShare } from '../../model/state/declared-share.js';
import { type ClientOrOperator, clientOf } from '../../model/state/fair-share.js';
import type { Shape } from '../../model/state/named-type.js';
import type { State } from '../../model/state/state.js';
import { strideOf, type Type } from '../../model/state/type.js';

/** Work in steps, between which ticks and other requests may come. */
export type Steps<T = void> = Generator<void, T>;

/** Why something of a client gives way to memory of the operator. */
export const DECLARED = 'the input file declares a variable of that name';

interface Wanted {
  readonly name?: string | undefined;
  readonly by?: ClientOrOperator | undefined;
  /** Memory that the new memory replaces. */
  readonly old?: Allocation;
  /** Whether it is freed when the pointer that it is made for points elsewhere. */
  readonly isOfPointer?: true;
}

/** Memory that was used before is zeroed before anybody sees it. */
export function* add(state: State, shape: Shape, wanted: Wanted): Steps<Allocation> {
  requireRoom(state, shape, wanted);
  const { arena, allocations } = state;
  const { element, count, isSingle } = shape;
  const { offsetBytes, usedBytes } = arena.reserve(element, count);
  yield* clearing({ type: BYTE, offsetBytes, count: usedBytes }, arena.memory);
  try {
    requireRoom(state, shape, wanted);
  } catch (error) {
    arena.release(element, offsetBytes, count);
    throw error;
  }
  const by = clientOf(wanted.by);
  if (wanted.name !== undefined && !by) state.makeWay(wanted.name, DECLARED);
  const made = allocations.allocateReserved(offsetBytes, {
    type: element,
    count,
    isSingle,
    by,
    isOfPointer: wanted.isOfPointer,
  });
  if (wanted.name !== undefined) allocations.name(made, wanted.name);
  return made;
}

const BYTE: Type = { kind: 'number', name: 'char' };

/** Throws an Error for memory or a name that cannot be had. */
function requireRoom(state: State, shape: Shape, { name, by, old }: Wanted): void {
  const bytes = strideOf(shape.element) * shape.count;
  const client = clientOf(by);
  const isGivenWay = name !== undefined && !client && state.isOfClient(name);
  const givesWay = isGivenWay ? state.allocations.ofClient(name) : undefined;
  const count = state.allocations.ownCount - (givesWay ? 1 : 0);
  if (count >= MOST_VARIABLES) throw new Error(`there are ${count} declared variables, as many as there may be`);
  const gone = old ?? givesWay;
  const otherBytes = state.allocations.ownBytes - (gone ? bytesOf(gone) : 0);
  if (!(otherBytes + bytes <= MOST_VARIABLE_BYTES))
    throw new Error(`declared variables take up to ${MOST_VARIABLE_BYTES} bytes together, and this one ${bytes}`);
  if (client) requireDeclaredShare(state.allocations, client, { count: 1, bytes }, (one) => one === old);
  if (name !== undefined && !isGivenWay) state.allocations.requireFree(name);
}
