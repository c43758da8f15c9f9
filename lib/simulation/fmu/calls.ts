// Calls of an FMU's functions by name, checked by their status.
import { FmiError, WARNING } from './fmi.js';
import type { LogLines } from './log-lines.js';
import type { NativeLibrary } from './native.js';

type Given = number | bigint | boolean | string | null | object;
type Call = (...given: readonly Given[]) => unknown;

const STATUSES = ['OK', 'Warning', 'Discard', 'Error', 'Fatal', 'Pending'];

/** The functions of a library, each looked up when it is first called. */
export class Calls {
  private readonly found = new Map<string, Call>();
  private readonly checks = new Map<string, Call>();

  constructor(
    private readonly library: NativeLibrary,
    private readonly prefix: string,
    private readonly logs: LogLines,
  ) {}

  /** Throws an FmiError when the library does not have it. */
  function(name: string, result: string, takes: readonly string[]): Call {
    const known = this.found.get(name);
    if (known) return known;
    try {
      const call = this.library.func(this.prefix + name, result, takes) as unknown as Call;
      this.found.set(name, call);
      return call;
    } catch {
      throw new FmiError(`its library has no function ${this.prefix}${name}`);
    }
  }

  /** A function that returns a status. Throws an FmiError for an error; returns the status otherwise. */
  checked(name: string, takes: readonly string[], most = WARNING): Call {
    const known = this.checks.get(name);
    if (known) return known;
    const call = this.function(name, 'int', takes);
    const checked: Call = (...given) => {
      const status = call(...given) as number;
      if (status >= 0 && status <= most) return status;
      const why = this.logs.lastComplaint;
      const said = why === undefined ? '' : `: ${why}`;
      throw new FmiError(`${this.prefix}${name} returned ${STATUSES[status] ?? status}${said}`);
    };
    this.checks.set(name, checked);
    return checked;
  }
}

/** Memory into which functions write single values; memory of its own, because small arrays of JavaScript move. */
export class Cells {
  readonly floats = new Float64Array(new ArrayBuffer(1024));
  readonly words = new Int32Array(new ArrayBuffer(1024));
  readonly bytes = new Uint8Array(new ArrayBuffer(1024));
  readonly pointers = new BigUint64Array(new ArrayBuffer(1024));
  private addresses = this.pointers;

  /** Room for the addresses of texts. */
  room(count: number): BigUint64Array {
    if (count > this.addresses.length) this.addresses = new BigUint64Array(new ArrayBuffer(8 * count));
    return this.addresses;
  }
}
