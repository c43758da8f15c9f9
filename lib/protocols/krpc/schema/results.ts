// The results of calls as messages, put together from bytes: updates of streams, of which a client may have hundreds, and answers of megabytes.
import { BinaryWriter } from '@bufbuild/protobuf/wire';

/** The tags of fields with bytes or a message, and those of numbers. */
const ProcedureResult = { error: 0x0a, value: 0x12, isNull: 0x18 } as const;
const Response = { results: 0x12 } as const;
const StreamUpdate = { results: 0x0a } as const;
const StreamResult = { id: 0x08, result: 0x12 } as const;

/** The bytes of the message ProcedureResult for a value. */
export function valueResult(value: Uint8Array, isNull: boolean): Uint8Array {
  const writer = new BinaryWriter().uint32(ProcedureResult.value).bytes(value);
  if (isNull) writer.uint32(ProcedureResult.isNull).bool(true);
  return writer.finish();
}

/** The bytes of the message ProcedureResult for an error: those of the message Error. */
export const errorResult = (error: Uint8Array): Uint8Array =>
  new BinaryWriter().uint32(ProcedureResult.error).bytes(error).finish();

/** Results are put together in pieces of so many bytes: one large piece would take new memory each time. */
const PIECE_BYTES = 65_536;

/** The message Response, put together from results. */
export class ResponseWriter {
  /** The message, in order, once it has ended. */
  readonly pieces: Uint8Array[] = [];
  /** Bytes of the results so far. */
  length = 0;
  private readonly writer = new BinaryWriter();
  private bytes = 0;

  /** Adds the bytes of a ProcedureResult. */
  add(result: Uint8Array): void {
    if (this.bytes + result.length > PIECE_BYTES) this.end();
    this.writer.uint32(Response.results).bytes(result);
    this.bytes += result.length;
    this.length += result.length;
  }

  /** Ends the message, or a piece of it. */
  end(): this {
    const piece = this.writer.finish();
    if (piece.length > 0) this.pieces.push(piece);
    this.bytes = 0;
    return this;
  }
}

/** The bytes of a field of the message StreamUpdate: the result of a stream, which is the bytes of a ProcedureResult. */
export function streamResult(id: number, result: Uint8Array): Uint8Array {
  const writer = new BinaryWriter().uint32(StreamUpdate.results).fork();
  // proto3 leaves a number out that is 0.
  if (id !== 0) writer.uint32(StreamResult.id).uint32(id);
  return writer.uint32(StreamResult.result).bytes(result).join().finish();
}
