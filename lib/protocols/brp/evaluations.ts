// What polls show in the latest frames, made once for all clients that ask the same.

import type { Source } from '../../source/source.js';
import type { AnswerText } from '../json-rpc/answer-text.js';
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

/** Resolves with undefined when its client must look at the world again. */
type Making = Promise<Evaluation | undefined>;

const MOST_SHARED = 16;
/** Text that is kept for others, of all evaluations together. */
const MOST_SHARED_BYTES = 16_000_000;

export class Evaluations {
  private static readonly all = new WeakMap<Source, Evaluations>();
  /** Of the latest frame. */
  private readonly latest = new Map<string, Evaluation>();
  private readonly running = new Map<string, Making>();

  static of(source: Source): Evaluations {
    const known = Evaluations.all.get(source) ?? new Evaluations();
    Evaluations.all.set(source, known);
    return known;
  }

  /**
   * The evaluation of a frame with this number or a later one: a known one, one that another client makes, or else its own.
   * One that is older is finished first, so that there are never several of the same.
   * @param key what is asked.
   */
  async get(key: string, number: number, make: () => Making): Making {
    for (;;) {
      const known = this.latest.get(key);
      if (known && known.picture.frame >= number) return known;
      const running = this.running.get(key);
      if (!running) return this.begun(key, make);
      // When the other client has gone, or its making fails, this one makes its own.
      const made = await running.catch(() => undefined);
      if (made && made.picture.frame >= number) return made;
    }
  }

  private async begun(key: string, make: () => Making): Making {
    const running = make();
    this.running.set(key, running);
    try {
      const made = await running;
      if (made) this.keep(key, made);
      return made;
    } finally {
      this.running.delete(key);
    }
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
