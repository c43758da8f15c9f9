// The values of components in one frame, copied at once so that all are of one tick, and their text.

import { Look } from '../../model/frame/lease.js';
import type { Frame, Shown } from '../../model/frame/reader.js';
import type { SimObject } from '../../model/state/catalog.js';
import { holdsPointers } from '../../model/state/pointers.js';
import type { Variable } from '../../model/state/variable.js';
import { Held } from '../../serving/scheduling/held.js';
import { countedBytesOf } from '../../serving/session/frame-copies.js';
import { Read } from '../../serving/session/read.js';
import { AnswerText, MAX_ANSWER_BYTES } from '../json-rpc/answer-text.js';
import { settledFrame } from '../json-rpc/call-context.js';
import { turnOf } from '../json-rpc/reading.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { TakenValues } from '../json-rpc/taken-values.js';
import { CHILD_OF, NAME } from './built-in.js';
import { variableOf } from './component.js';
import { entityOf } from './entity.js';
import type { Dialect } from './generation.js';
import type { BrpCall } from './operation.js';
import { BRP_STYLE } from './value.js';
import { madeWorldOf, type World } from './world.js';

/** The most component values of one answer. */
export const MOST_CELLS = 100_000;

/** So many values are copied together: that takes a tenth of a millisecond. */
const PLACES_TOGETHER = 256;
/** More values are read of a copy of a frame, so that others have their turns meanwhile. */
const MANY_CELLS = 10_000;

/** A component's value: its text, or its place among the copied ones. */
export type Cell = { readonly text: string } | { readonly index: number };

class CellVariable implements Shown {
  readonly conversion = undefined;

  constructor(readonly current: Variable) {}

  isCarriedBy(frame: Frame): boolean {
    return frame.carries(this.current);
  }
}

/** Yields between pieces of work. */
export type Pieces<Result = void> = Generator<void, Result>;

export class Cells {
  readonly read: Read;
  /** A frame that stays as it is while it is read: objects may come and go meanwhile. */
  private copy: Frame | undefined;
  private readonly held: Held;
  private count = 0;
  private places: CellVariable[] = [];
  /** What the frame must carry: all of a large state, otherwise what lies behind pointers. */
  private needed: Shown[] = [];
  /** Of a group of places each. */
  private taken: TakenValues[] = [];

  constructor(private readonly call: BrpCall) {
    this.read = new Read(call.session, call.registry);
    this.held = new Held(call.account);
  }

  get turn(): BrpCall['turn'] {
    return this.call.turn;
  }

  /** Makes memory for a copy of the latest frame. */
  async prepareCopy(): Promise<void> {
    const { registry, source, turn } = this.call;
    if (!registry.copies.isCheap(source.frame)) await registry.copies.prepareInTurns(source.frame, turn);
  }

  /** Reads a copy of a frame from now on. Throws an OverBoundError when the client may not hold one. */
  keepFrame(frame = this.call.source.frame): Frame {
    this.dropFrame();
    this.held.set('unreadBytes', countedBytesOf(frame));
    this.copy = this.call.registry.copies.take(frame);
    return this.copy;
  }

  private dropFrame(): void {
    if (this.copy) this.call.registry.copies.giveBack(this.copy);
    this.copy = undefined;
    this.held.release();
  }

  /** Works in turns while a copy is read, otherwise at once. */
  async run<Result>(pieces: Pieces<Result>): Promise<Result> {
    for (;;) {
      const { done, value } = pieces.next();
      if (done) return value;
      if (this.copy) await this.turn();
    }
  }

  /** Forgets all values, to begin again. */
  clear(): void {
    this.giveBack();
    this.count = 0;
    this.places = [];
    this.needed = [];
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
    this.places.push(this.need(variableOf(component)));
    return { index: this.places.length - 1 };
  }

  /** The frame must carry it. */
  need(variable: Variable): CellVariable {
    const place = new CellVariable(variable);
    if (this.call.source.frame.pages || holdsPointers(variable.type)) this.needed.push(place);
    return place;
  }

  /**
   * Copies the values; false when objects have come or gone, or the frame lacks some, which it then asks for. Few are read of
   * the latest frame at once, many of a copy in turns.
   * @param also reads something else of the same frame.
   */
  async take(
    world: World,
    isMany = this.count > MANY_CELLS,
    also: (frame: Frame) => Pieces = nothingElse,
  ): Promise<boolean> {
    const { source } = this.call;
    if (isMany && !this.copy) {
      await this.prepareCopy();
      if (world.catalog === source.catalog) this.keepFrame();
    }
    // Without a copy nothing is awaited up to the end: the next frame may come meanwhile.
    if (!this.copy && world.catalog !== source.catalog) return false;
    return this.run(this.taking(this.copy ?? source.frame, also));
  }

  private *taking(frame: Frame, also: (frame: Frame) => Pieces): Pieces<boolean> {
    const look = new Look();
    for (const some of groupsOf(this.needed)) {
      look.at(some, frame);
      yield;
    }
    if (!this.read.take(look, frame)) {
      // The next try has a copy of its own, and this one may have to wait for long.
      this.dropFrame();
      return false;
    }
    for (const some of groupsOf(this.places)) {
      const taken = new TakenValues(some, frame, BRP_STYLE);
      this.call.account.take('keptBytes', taken.sizeBytes);
      this.taken.push(taken);
      taken.take();
      yield;
    }
    yield* also(frame);
    return true;
  }

  /** Adds the value's text, of a long one in turns; then there is a promise. */
  addText(text: AnswerText, cell: Cell): Promise<void> | undefined {
    if ('text' in cell) {
      text.add(cell.text);
      return undefined;
    }
    const taken = this.taken[Math.floor(cell.index / PLACES_TOGETHER)] as TakenValues;
    return taken.writeText(text, cell.index % PLACES_TOGETHER, this.turn);
  }

  /** Gives back the copy, when all is read or the call has failed. */
  release(): void {
    this.giveBack();
    this.dropFrame();
    this.read.end();
  }

  private giveBack(): void {
    for (const { sizeBytes } of this.taken) this.call.account.give('keptBytes', sizeBytes);
    this.taken = [];
  }
}

function* nothingElse(): Pieces {}

function* groupsOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += PLACES_TOGETHER) yield all.slice(start, start + PLACES_TOGETHER);
}

export function builtInText(world: World, object: SimObject, path: string, generation: Dialect): string {
  if (path === NAME) return JSON.stringify(world.names.of(object));
  if (path === CHILD_OF) return JSON.stringify(entityOf(object.parent ?? 0, generation));
  return JSON.stringify(world.children(object).map(({ number }) => entityOf(number, generation)));
}

/**
 * Reads the world, and begins again when `read` gives undefined: objects have come or gone meanwhile, or the
 * frame lacks something. When they have, it reads a copy of a frame, which no change can spoil. Rejects with what `read`
 * throws.
 */
export async function readWorld<T>(
  call: BrpCall,
  read: (world: World, cells: Cells) => Promise<T | undefined>,
): Promise<T> {
  const { source, turn } = call;
  const cells = new Cells(call);
  try {
    for (let hasChanged = false; ; ) {
      await settledFrame(call);
      await turn();
      const { catalog } = source;
      if (hasChanged) await cells.prepareCopy();
      const world = await madeWorldOf(source, turn);
      if (hasChanged && world.catalog === source.catalog) cells.keepFrame();
      const result = await read(world, cells);
      if (result !== undefined) return result;
      hasChanged ||= source.catalog !== catalog;
      if (cells.read.mustWait) await turnOf(cells.read, call.presence);
    }
  } finally {
    cells.release();
  }
}

/** Finds something so fast that it needs no turns. */
export async function lookUp<T>(call: BrpCall, find: (world: World) => T): Promise<T> {
  const { source, turn } = call;
  await settledFrame(call);
  await turn();
  return find(await madeWorldOf(source, turn));
}

/** A text that is refused when it gets too long. */
export const boundedText = (): AnswerText => new AnswerText(MAX_ANSWER_BYTES);
