// The bytes a value was last formatted from, so that an unchanged value is not formatted again.
// compat-tests/bench/optimizations.md has what it saves, and how to measure that again.
import type { Memory } from '../../../model/state/memory.js';

/** Of longer values no copy is kept: thousands of references could hold megabytes each. */
const MOST_COPIED_BYTES = 4096;

export class LastBytes {
  private length = -1;
  private low = 0;
  private high = 0;
  private copy = Buffer.alloc(0);

  /** Whether these bytes equal the ones of the call before; remembers them. Those of a long value never do. */
  isSame(memory: Memory, offset: number, length: number): boolean {
    return length === 8 || length === 4
      ? this.isSameWord(memory.view, offset, length)
      : this.isSameRun(memory, offset, length);
  }

  private isSameWord(view: DataView, offset: number, length: number): boolean {
    const low = view.getInt32(offset);
    const high = length === 8 ? view.getInt32(offset + 4) : 0;
    if (low === this.low && high === this.high && length === this.length) return true;
    this.low = low;
    this.high = high;
    this.length = length;
    return false;
  }

  private isSameRun(memory: Memory, offset: number, length: number): boolean {
    if (length > MOST_COPIED_BYTES) {
      this.length = -1;
      this.copy = Buffer.alloc(0);
      return false;
    }
    const { bytes } = memory;
    if (length === this.length && bytes.compare(this.copy, 0, length, offset, offset + length) === 0) return true;
    if (this.copy.length < length) this.copy = Buffer.allocUnsafeSlow(length);
    bytes.copy(this.copy, 0, offset, offset + length);
    this.length = length;
    return false;
  }
}
