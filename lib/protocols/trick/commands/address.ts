// Addresses of declared memory and of variables, as Trick's Python shows them; blocks can only pass them on.
import { HostObject } from '../../python/index.js';

/** Addresses begin here, so that they look like Trick's own; beyond that the number has no meaning. */
const FIRST = 0x7f00_0000_0000;

/** The address of a byte of the state, as text. */
export const addressText = (offsetBytes: number): string => `0x${(FIRST + offsetBytes).toString(16)}`;

/** The address of a variable, by its path. Trick: get_address */
export class VariableAddress extends HostObject {
  readonly typeName = 'SwigPyObject';
  readonly text = `<Swig Object of type 'void *' at ${addressText(0)}>`;

  constructor(readonly path: string) {
    super();
  }

  get heldBytes(): number {
    return this.path.length;
  }
}

export class MemoryAddress extends HostObject {
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
  ) {
    super();
  }

  get text(): string {
    return `<Swig Object of type 'void *' at ${addressText(this.offsetBytes)}>`;
  }
}
