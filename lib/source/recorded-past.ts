// The past of a source that lies in files: all of it at any moment, wherever a playback is.
import type { Extent, PastPoints } from '../model/points/points.js';

/** Names are paths of single numbers and texts; times are those of the source's clock. */
export interface RecordedPast {
  /** Length of the longest recording. */
  readonly seconds: number;
  has(name: string): boolean;
  /** Undefined for what is in no file. */
  extent(name: string): Extent | undefined;
  /** Reads what is needed for the points of these; resolves when it is there, or after a moment. */
  prepare(names: readonly string[]): Promise<void>;
  /**
   * At most `most` points of a stretch of time, both ends included: all rows, or the least and the greatest of each part of
   * the stretch, at their times. Rejects with one sentence for a file that cannot be read any more.
   */
  points(name: string, from: number, to: number, most: number): Promise<PastPoints>;
  close(): void;
}
