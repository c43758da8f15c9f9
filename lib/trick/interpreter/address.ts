// The address of memory that a session has declared, as Trick's Python shows it; blocks can only pass it on.
import type { ObjectValue } from './values.js';

/** Addresses begin here, so that they look like Trick's own; beyond that the number has no meaning. */
const FIRST = 0x7f00_0000_0000;

export class MemoryAddress implements ObjectValue {
  readonly kind = 'object';
  readonly typeName = 'SwigPyObject';

  /**
   * @param offsetBytes where the simulation keeps the memory.
   * @param count how many elements it has.
   * @param leafBytes the size of a single value.
   */
  constructor(
    readonly offsetBytes: number,
    readonly count: number,
    readonly leafBytes: number,
  ) {}

  get text(): string {
    return `<Swig Object of type 'void *' at 0x${(FIRST + this.offsetBytes).toString(16)}>`;
  }

  attribute(): undefined {
    return undefined;
  }

  setAttribute(): boolean {
    return false;
  }

  names(): Iterable<string> {
    return [];
  }
}
