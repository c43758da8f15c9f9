// The values of components in one frame, copied at once so that all are of one tick, and their text.

import { PageCount, pagesOf } from '../frame/page-map.js';
import type { Frame, Shown } from '../frame/reader.js';
import { AnswerText, MAX_ANSWER_BYTES } from '../json-rpc/answer-text.js';
import { settledFrame } from '../json-rpc/call-context.js';
import { once } from '../json-rpc/caller.js';
import { turnOf } from '../json-rpc/large-reads.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { TakenValues } from '../json-rpc/taken-values.js';
import type { SimObject } from '../model/catalog.js';
import { holdsPointers } from '../model/pointers.js';
import type { Variable } from '../model/variable.js';
import type { Account } from '../scheduling/account.js';
import { Held } from '../scheduling/held.js';
import { LONG_STEP, Slice, type Sliced } from '../scheduling/slice.js';
import { countedBytesOf } from '../session/frame-copies.js';
import { LargeRead } from '../session/large-read.js';
import { CHILD_OF, NAME } from './built-in.js';
import { variableOf } from './component.js';
import { entityOf } from './entity.js';
import type { Dialect } from './generation.js';
import type { BrpCall } from './operation.js';
import { BRP_STYLE } from './value.js';
import { completeWorldOf, IncompleteError, type World, worldOf } from './world.js';

/** The most component values of one answer. */
export const MOST_CELLS = 100_000;

/** So many values are copied together: that takes a tenth of a millisecond. */
const PLACES_TOGETHER = 256;
/** A slice that is never over: what is read of a frame that may change is read in one piece. */
const ONE_PIECE = new Slice(() => 0);

/** A component's value: its text, or its place among the copied ones. */
export type Cell = { readonly text: string } | { readonly index: number };

/** Who reads a copy counts it once, however many of its calls do. */
interface Counted {
  readonly held: Held;
  calls: number;
}
const counted = new WeakMap<Frame, Map<Account, Counted>>();

/** Returns a function after which the copy is not counted for this call. Throws an OverBoundError. */
function countCopy(copy: Frame, account: Account): () => void {
  const all = counted.get(copy) ?? new Map<Account, Counted>();
  counted.set(copy, all);
  const one = all.get(account) ?? { held: new Held(account), calls: 0 };
  one.held.set('unreadBytes', countedBytesOf(copy));
  one.calls++;
  all.set(account, one);
  return () => {
    if (--one.calls > 0) return;
    one.held.release();
    all.delete(account);
  };
}

class Place implements Shown {
  readonly conversion = undefined;

  constructor(readonly current: Variable) {}

  isShownIn(frame: Frame): boolean {
    return frame.shows(this.current);
  }
}

export class Cells {
  readonly read: LargeRead;
  private places: Place[] = [];
  private count = 0;
  /** A frame that stays as it is while it is read: objects may come and go meanwhile. */
  private copy: Frame | undefined;
  private stopCounting: (() => void) | undefined;
  /** Of so many places each. */
  private taken: TakenValues[] = [];

  /** @param read where it waits for its turn; whoever has given it ends it. */
  constructor(
    private readonly call: BrpCall,
    read = new LargeRead(call.registry, call.account),
  ) {
    this.read = read;
  }

  /** The frame that is read: the latest one, or the copy that is kept. */
  get frame(): Frame {
    return this.copy ?? this.call.source.frame;
  }

  /** Makes memory for a copy of the latest frame. */
  *prepareCopy(slice: Slice): Sliced<void> {
    const { registry, source } = this.call;
    if (!registry.copies.isCheap(source.frame)) yield* registry.copies.prepare(source.frame, slice);
  }

  /** Whether it reads a copy, so that a reading may give way. */
  get isKept(): boolean {
    return this.copy !== undefined;
  }

  /** The copy that is read. */
  get kept(): Frame | undefined {
    return this.copy;
  }

  /** Reads a copy of a frame from now on. Throws an OverBoundError when the client may not hold one. */
  keepFrame(frame = this.call.source.frame): void {
    this.dropFrame();
    const { copies } = this.call.registry;
    const copy = copies.take(frame);
    try {
      this.stopCounting = countCopy(copy, this.call.account);
      this.copy = copy;
    } catch (error) {
      copies.giveBack(copy);
      throw error;
    }
  }

  private dropFrame(): void {
    if (this.copy) this.call.registry.copies.giveBack(this.copy);
    this.copy = undefined;
    this.stopCounting?.();
    this.stopCounting = undefined;
  }

  /** Forgets all values, to begin again. */
  clear(): void {
    this.giveBack();
    this.places = [];
    this.count = 0;
  }

  /** Undefined when the object lacks the component. Throws an RpcError when there are too many. */
  add(world: World, object: SimObject, path: string): Cell | undefined {
    const component = world.componentsOf(object).get(path);
    if (!component && !world.has(object, path)) return undefined;
    if (++this.count > MOST_CELLS) {
      const sentence = `an answer has at most ${MOST_CELLS} component values; name fewer components, or filter`;
      throw new RpcError(RpcCode.tooMany, sentence);
    }
    if (!component) return { text: builtInText(world, object, path, this.call.generation) };
    if (component.member.access === 'write-only') return { text: 'null' };
    this.places.push(new Place(variableOf(component)));
    return { index: this.places.length - 1 };
  }

  /**
   * Copies the values, of a copy of a frame in slices; false when objects have come or gone, or the frame lacks some, which
   * it then asks for.
   * @param others what the frame must carry besides.
   */
  *take(world: World, slice: Slice, others: readonly Variable[] = []): Sliced<boolean> {
    const { frame } = this;
    if (!this.copy && world.catalog !== this.call.source.catalog) return false;
    const own = this.copy ? slice : ONE_PIECE;
    if (!(yield* this.isShown(frame, others, own))) {
      // The next try has a copy of its own, and this one may have to wait for long.
      this.dropFrame();
      return false;
    }
    for (let start = 0; start < this.places.length; start += PLACES_TOGETHER) {
      const taken = new TakenValues(this.places.slice(start, start + PLACES_TOGETHER), frame, BRP_STYLE);
      this.call.account.take('keptBytes', taken.sizeBytes);
      this.taken.push(taken);
      taken.take();
      if (own.isOver(LONG_STEP)) yield;
    }
    return true;
  }

  /** Whether the frame carries all; if not, asks for a frame that does. Those behind pointers are few, and are looked at together. */
  private *isShown(frame: Frame, others: readonly Variable[], slice: Slice): Sliced<boolean> {
    const { session } = this.call;
    const { mayAsk } = this.read;
    const counted = frame.pages && new PageCount(pagesOf(frame.memory.bytes.length));
    counted?.begin();
    const pointing: Variable[] = [];
    let some: Place[] = [];
    let isAll = true;
    for (const variable of this.variablesAnd(others)) {
      if (holdsPointers(variable.type)) pointing.push(variable);
      else if (frame.pages) some.push(new Place(variable));
      if (slice.isOver()) yield;
      if (some.length < PLACES_TOGETHER) continue;
      isAll = frame.showsAll(some, mayAsk, counted) && isAll;
      some = [];
    }
    isAll = frame.showsAll([...some, ...pointing.map((one) => new Place(one))], mayAsk, counted) && isAll;
    if (!isAll && !this.read.mustWait) session.look();
    return isAll;
  }

  private *variablesAnd(others: readonly Variable[]): Iterable<Variable> {
    for (const { current } of this.places) yield current;
    yield* others;
  }

  *addText(text: AnswerText, cell: Cell, slice: Slice): Sliced<void> {
    if ('text' in cell) {
      text.add(cell.text);
      return;
    }
    const taken = this.taken[Math.floor(cell.index / PLACES_TOGETHER)] as TakenValues;
    yield* taken.addText(text, cell.index % PLACES_TOGETHER, slice);
  }

  /** Gives back the copy, when all is read or the call has failed. */
  release(): void {
    this.drop();
    this.read.end();
  }

  /** As `release`; the read goes on. */
  drop(): void {
    this.giveBack();
    this.dropFrame();
  }

  private giveBack(): void {
    for (const { sizeBytes } of this.taken) this.call.account.give('keptBytes', sizeBytes);
    this.taken = [];
  }
}

export function builtInText(world: World, object: SimObject, path: string, generation: Dialect): string {
  if (path === NAME) return JSON.stringify(world.names.of(object));
  if (path === CHILD_OF) return JSON.stringify(entityOf(object.parent ?? 0, generation));
  return JSON.stringify(world.children(object).map(({ number }) => entityOf(number, generation)));
}

/**
 * Reads the world in slices, and begins again when `read` returns undefined: objects have come or gone meanwhile, or the
 * frame lacks something. When they have, it reads a copy of a frame, which no change can spoil. Rejects with what `read`
 * throws.
 * @param cells what it copies, which waits for its turn when it is much.
 */
export async function readWorld<T>(
  call: BrpCall,
  read: (world: World, slice: Slice) => Sliced<T | undefined>,
  cells?: Cells,
): Promise<T> {
  for (let hasChanged = false; ; ) {
    await settledFrame(call);
    const { catalog } = call.source;
    const result = await call.inTurns(function* (slice) {
      if (hasChanged && cells) yield* cells.prepareCopy(slice);
      const world = yield* completeWorldOf(call.source, slice);
      if (hasChanged) cells?.keepFrame();
      return yield* read(world, slice);
    });
    if (result !== undefined) return result;
    hasChanged ||= call.source.catalog !== catalog;
    if (cells?.read.mustWait) await turnOf(cells.read, call.presence);
  }
}

/** As `readWorld`, for what is found so fast that it needs no slices and mostly no complete world. */
export async function lookUp<T>(call: BrpCall, find: (world: World) => T): Promise<T> {
  await settledFrame(call);
  try {
    return await call.inTurns(() => once(() => find(worldOf(call.source))));
  } catch (error) {
    if (!(error instanceof IncompleteError)) throw error;
    const { found } = await readWorld(call, (world) => once(() => ({ found: find(world) })));
    return found;
  }
}

/** A text that is refused when it gets too long. */
export const boundedText = (): AnswerText => new AnswerText(MAX_ANSWER_BYTES);
