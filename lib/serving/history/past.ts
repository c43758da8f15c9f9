// What a plot knows of the past, wherever it is kept: in memory while a server runs (history.ts), or in a file.

/** Points in order of time; null is a time without a value. */
export interface Points {
  readonly times: number[];
  readonly values: (number | null)[];
}

export interface PastPoints extends Points {
  /** Only the least and the greatest value of each stretch of about so many seconds are among them; 0 when all are. */
  readonly stretchSeconds: number;
}

/** The reach of what is kept, in seconds of the source's clock. */
export interface Extent {
  readonly from: number;
  readonly to: number;
  /** Every value since then is kept; before, the least and the greatest of each stretch. */
  readonly wholeFrom: number;
}

/** The past of a source. */
export interface SourcePast {
  /** What has a past: paths of single numbers and texts, and expressions. */
  readonly names: readonly string[];
  /** Time up to which there is a past; it grows while the source goes on. */
  readonly takenSeconds: number;
  /** Undefined for what has no past. */
  extent(name: string): Extent | undefined;
  /**
   * At most `most` points of a stretch of time, both ends included: all values, or the least and the greatest of each part of
   * the stretch, at their times. Undefined for what has no past.
   */
  points(name: string, from: number, to: number, most: number): PastPoints | undefined;
  /** Of what has texts: the text that a value stands for; undefined of numbers. */
  text(name: string, value: number): string | undefined;
}
