// Points of a curve over time, and how much of a past there is, wherever it is kept: in memory or in a file.

/** Points in order of time; null is a time without a value. */
export interface Points {
  readonly times: number[];
  readonly values: (number | null)[];
}

export interface PastPoints extends Points {
  /** Only the least and the greatest value of each stretch of about so many seconds are among them; 0 when all are. */
  readonly stretchSeconds: number;
  /** Whether they are values here and there, so that peaks may be missing: the rest is not read yet. */
  readonly isSampled?: boolean;
  /** Of what has texts: what the values stand for. */
  readonly texts?: readonly string[];
}

/** The reach of what is kept, in seconds of the source's clock. */
export interface Extent {
  readonly from: number;
  readonly to: number;
  /** Every value since then is kept; before, the least and the greatest of each stretch. */
  readonly wholeFrom: number;
}
