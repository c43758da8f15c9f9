// What polls show in the latest frames, made once for all clients that ask the same.
import type { AnswerText } from '../json-rpc/answer-text.js';
import { Slice, type Sliced } from '../scheduling/slice.js';
import type { Source } from '../source/source.js';
import type { Picture } from './picture.js';

/** What a query shows in a frame: its rows as text, and their bytes to compare. */
export interface Evaluation {
  readonly picture: Picture;
  /** All rows, with commas between. */
  readonly text: AnswerText;
  /** By the numbers of the objects; empty when answers have all rows or none. */
  readonly rows: readonly (readonly [number: number, text: AnswerText])[];
  readonly simTime: object;
}

/** Makes an evaluation; undefined when its client must look at the world again. */
type Making = (slice: Slice) => Sliced<Evaluation | undefined>;

const MOST_SHARED = 16;
/** Text that is kept for others, of all evaluations together. */
const MOST_SHARED_BYTES = 16_000_000;

/** The slice of whoever goes on with shared work. */
class SharedSlice extends Slice {
  /** Undefined before somebody goes on. */
  current: Slice | undefined;

  constructor() {
    super(() => 0);
  }

  override isOver(steps = 1): boolean {
    return this.current?.isOver(steps) ?? false;
  }

  override count(steps: number): void {
    this.current?.count(steps);
  }
}

/** An evaluation that is being made: each who waits for it goes on with it in its own turns. */
class Running {
  private readonly slice = new SharedSlice();
  private readonly work: Sliced<Evaluation | undefined>;
  private clients = 0;
  /** Undefined until it is made. */
  made: Evaluation | undefined;
  isOver = false;

  /** @param number it is of this frame or a later one. */
  constructor(
    readonly number: number,
    making: Making,
    private readonly over: () => void,
  ) {
    this.work = making(this.slice);
  }

  /** Ends when it is over. It stops when the last who wait for it have gone. */
  *goOn(slice: Slice): Sliced<void> {
    this.clients++;
    try {
      for (this.step(slice); !this.isOver; this.step(slice)) yield;
    } finally {
      if (--this.clients === 0) this.end();
    }
  }

  private step(slice: Slice): void {
    if (this.isOver) return;
    this.slice.current = slice;
    try {
      const step = this.work.next();
      if (!step.done) return;
      this.made = step.value;
      this.end();
    } catch (error) {
      this.end();
      throw error;
    } finally {
      this.slice.current = undefined;
    }
  }

  private end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.over();
    // The work's `finally` blocks give back what it holds.
    this.work.return(undefined);
  }
}

export class Evaluations {
  private static readonly all = new WeakMap<Source, Evaluations>();
  /** Of the latest frame. */
  private readonly latest = new Map<string, Evaluation>();
  private readonly running = new Map<string, Running>();

  static of(source: Source): Evaluations {
    const known = Evaluations.all.get(source) ?? new Evaluations();
    Evaluations.all.set(source, known);
    return known;
  }

  /**
   * The evaluation of a frame with this number or a later one: a known one, one that others make, or else its own. One that
   * is older is finished first, so that there are never several of the same.
   * @param key what is asked.
   * @param making makes it from a frame of number `isOf`.
   */
  *get(key: string, number: number, isOf: () => number, making: Making, slice: Slice): Sliced<Evaluation | undefined> {
    for (;;) {
      const known = this.latest.get(key);
      if (known && known.picture.frame >= number) return known;
      const running = this.running.get(key);
      if (!running) return yield* this.begun(key, isOf(), making, slice);
      yield* waitFor(running, slice);
      if (running.made && running.number >= number) return running.made;
    }
  }

  private *begun(key: string, number: number, making: Making, slice: Slice): Sliced<Evaluation | undefined> {
    const running = new Running(number, making, () => {
      this.running.delete(key);
      if (running.made) this.keep(key, running.made);
    });
    this.running.set(key, running);
    yield* running.goOn(slice);
    return running.made;
  }

  private keep(key: string, made: Evaluation): void {
    const { frame } = made.picture;
    for (const [other, { picture }] of this.latest) if (picture.frame < frame) this.latest.delete(other);
    this.latest.delete(key);
    if (this.bytes + made.text.byteLength > MOST_SHARED_BYTES || this.latest.size >= MOST_SHARED) return;
    this.latest.set(key, made);
  }

  private get bytes(): number {
    return [...this.latest.values()].reduce((sum, { text }) => sum + text.byteLength, 0);
  }
}

/** A fault of what another client began is not this one's: it begins its own. */
function* waitFor(running: Running, slice: Slice): Sliced<void> {
  try {
    yield* running.goOn(slice);
  } catch {
    // It is over.
  }
}
