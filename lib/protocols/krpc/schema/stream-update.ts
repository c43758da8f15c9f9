// Writes messages of results by hand: updates of streams, of which a client may have hundreds, and answers of megabytes.
import { varintBytes, writeVarint } from './varint.js';

const RESULTS_TAG = 0x0a;
const RESPONSE_RESULTS_TAG = 0x12;
const ID_TAG = 0x08;
const RESULT_TAG = 0x12;
const VALUE_TAG = 0x12;
const ERROR_TAG = 0x0a;
const IS_NULL = Uint8Array.of(0x18, 1);

/** The bytes of the message ProcedureResult for a value. */
export function valueResult(value: Uint8Array, isNull: boolean): Uint8Array {
  const head = 1 + varintBytes(value.length);
  const bytes = new Uint8Array(head + value.length + (isNull ? IS_NULL.length : 0));
  bytes[0] = VALUE_TAG;
  writeVarint(bytes, 1, value.length);
  bytes.set(value, head);
  if (isNull) bytes.set(IS_NULL, head + value.length);
  return bytes;
}

/** The bytes of the message ProcedureResult for an error: those of the message Error. */
export function errorResult(error: Uint8Array): Uint8Array {
  const bytes = valueResult(error, false);
  bytes[0] = ERROR_TAG;
  return bytes;
}

/** Results are put together in pieces of so many bytes: one large piece would take new memory each time. */
const PIECE_BYTES = 65_536;

/** The message Response, put together from results that are bytes already. */
export class ResponseWriter {
  /** The message, in order. */
  readonly pieces: Uint8Array[] = [];
  /** Bytes so far. */
  length = 0;
  private parts: Uint8Array[] = [];
  private bytes = 0;

  /** Adds the bytes of a ProcedureResult. */
  add(result: Uint8Array): void {
    const head = Buffer.allocUnsafe(1 + varintBytes(result.length));
    head[0] = RESPONSE_RESULTS_TAG;
    writeVarint(head, 1, result.length);
    if (this.bytes + result.length > PIECE_BYTES) this.end();
    this.parts.push(head, result);
    this.bytes += head.length + result.length;
    this.length += head.length + result.length;
  }

  /** Call it after the last result. */
  end(): this {
    if (this.bytes > 0) this.pieces.push(Buffer.concat(this.parts, this.bytes));
    this.parts = [];
    this.bytes = 0;
    return this;
  }
}

export class StreamUpdateWriter {
  private bytes = new Uint8Array(1024);
  private end = 0;

  get isEmpty(): boolean {
    return this.end === 0;
  }

  get length(): number {
    return this.end;
  }

  /** Adds the result of a stream: the bytes of a ProcedureResult. */
  add(id: number, result: Uint8Array): void {
    // proto3 leaves a number out that is 0.
    const idBytes = id === 0 ? 0 : 1 + varintBytes(id);
    const body = idBytes + 1 + varintBytes(result.length) + result.length;
    this.reserve(1 + varintBytes(body) + body);
    const { bytes } = this;
    let at = this.end;
    bytes[at++] = RESULTS_TAG;
    at = writeVarint(bytes, at, body);
    if (id !== 0) {
      bytes[at++] = ID_TAG;
      at = writeVarint(bytes, at, id);
    }
    bytes[at++] = RESULT_TAG;
    at = writeVarint(bytes, at, result.length);
    bytes.set(result, at);
    this.end = at + result.length;
  }

  /** The message, and an empty writer. */
  take(): Uint8Array {
    const message = this.bytes.slice(0, this.end);
    this.end = 0;
    return message;
  }

  /** Drops everything that was added. */
  clear(): void {
    this.end = 0;
  }

  private reserve(count: number): void {
    if (this.bytes.length - this.end >= count) return;
    const larger = new Uint8Array(2 * (this.end + count));
    larger.set(this.bytes.subarray(0, this.end));
    this.bytes = larger;
  }
}
