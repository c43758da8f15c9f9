// Memory that the system gives page by page when it is first touched.
import { Memory } from '../state/memory.js';

/** Left out by the types of Node.js. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

const WASM_PAGE_BYTES = 65_536;

/**
 * All zero. Other memory of the engine is cleared as a whole, for which the system takes up to 3 ms a megabyte; a frame of a
 * large state uses little of it.
 */
export function untouchedMemory(bytes: number): Memory {
  try {
    return new Memory(new WebAssembly.Memory({ initial: Math.ceil(bytes / WASM_PAGE_BYTES) }).buffer, bytes);
  } catch {
    // A process with little address space left cannot have such memory.
    return new Memory(new ArrayBuffer(bytes));
  }
}
