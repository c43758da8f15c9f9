// List messages as bytes, each with a header of its own. Trick: VariableServerSession::write_binary_data
import type { Frame } from '../../../model/frame/reader.js';
import { TRICK_NONE, trickCodeOf } from '../../../model/state/type.js';
import type { ListFormat } from './list-format.js';
import { type ListIndicator, LONGEST_WRITE_BYTES } from './messages.js';
import type { TrickReference } from './reference.js';
import { codeOf, sizeInMessage, type ValueOutput, writeBytes } from './value-bytes.js';

/** Indicator, size of what follows the indicator, number of variables: int32 each. */
const HEADER_BYTES = 12;
/** Trick type code and size of a value. */
const VALUE_HEADER_BYTES = 8;
const INDICATOR_BYTES = 4;
const BAD_REF_BYTES = 4;
const TIME_BYTES = 8;
const DOUBLE_CODE = trickCodeOf({ kind: 'number', name: 'double' });

/** Size and offset of a value that is left out because it fits no message. */
export const LEFT_OUT = -1;

/** One message of a list. */
export interface BinaryMessage {
  readonly bytes: Buffer;
  /** Where the variables of the next message begin. */
  readonly end: number;
  /** Where the value of each of its variables begins in the bytes; LEFT_OUT for one that is in no message. */
  readonly valueOffsets: readonly number[];
}

/** The message of the variables from `first` on, as many as fit. The bytes are new. */
export function binaryMessage(
  indicator: ListIndicator,
  references: readonly TrickReference[],
  first: number,
  format: ListFormat,
  frame: Frame,
): BinaryMessage {
  const valueSizes: number[] = [];
  let sizeBytes = HEADER_BYTES;
  let variables = 0;
  let end = first;
  for (; end < references.length; end++) {
    const reference = references[end] as TrickReference;
    const valueBytes = valueSize(reference, frame);
    const blockBytes = (format.withNames ? 4 + reference.nameBytes.length : 0) + VALUE_HEADER_BYTES + valueBytes;
    const fits = HEADER_BYTES + blockBytes <= LONGEST_WRITE_BYTES;
    if (fits && sizeBytes + blockBytes > LONGEST_WRITE_BYTES) break;
    valueSizes.push(fits ? valueBytes : LEFT_OUT);
    if (!fits) continue;
    variables++;
    sizeBytes += blockBytes;
  }
  const bytes = Buffer.allocUnsafe(sizeBytes);
  const writer = new Writer(bytes, format, frame);
  writer.putHeader(indicator, variables);
  const valueOffsets = valueSizes.map((valueBytes, index) =>
    valueBytes === LEFT_OUT ? LEFT_OUT : writer.put(references[first + index] as TrickReference, valueBytes),
  );
  return { bytes, end, valueOffsets };
}

function valueSize(reference: TrickReference, frame: Frame): number {
  if (reference.isTime) return TIME_BYTES;
  const leaves = reference.leavesIn(frame);
  return leaves ? sizeInMessage(frame.memory, leaves) : BAD_REF_BYTES;
}

class Writer {
  private readonly output: ValueOutput;
  private readonly isLittleEndian: boolean;
  private position = 0;

  constructor(
    private readonly bytes: Buffer,
    private readonly format: ListFormat,
    private readonly frame: Frame,
  ) {
    this.output = { bytes, view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length) };
    this.isLittleEndian = !format.isByteSwapped;
  }

  putHeader(indicator: ListIndicator, variables: number): void {
    this.putInt32(indicator);
    this.putInt32(this.bytes.length - INDICATOR_BYTES);
    this.putInt32(variables);
  }

  /** Writes a name (if the format has names), a type code, a size and a value. Returns the offset of the value. */
  put(reference: TrickReference, sizeBytes: number): number {
    if (this.format.withNames) this.putName(reference.nameBytes);
    if (reference.isTime) this.putTime();
    else this.putValue(reference, sizeBytes);
    return this.position - sizeBytes;
  }

  private putValue(reference: TrickReference, sizeBytes: number): void {
    const { frame, output } = this;
    const leaves = reference.leavesIn(frame);
    this.putInt32(leaves ? codeOf(leaves) : TRICK_NONE);
    this.putInt32(sizeBytes);
    if (!leaves) {
      this.putInt32(0);
      return;
    }
    writeBytes(output, this.position, frame.memory, leaves, sizeBytes, this.format.isByteSwapped);
    this.position += sizeBytes;
  }

  private putTime(): void {
    this.putInt32(DOUBLE_CODE);
    this.putInt32(TIME_BYTES);
    this.output.view.setFloat64(this.position, this.frame.timeSeconds, this.isLittleEndian);
    this.position += TIME_BYTES;
  }

  private putName(name: Buffer): void {
    this.putInt32(name.length);
    // A loop is faster than a copy for names of the usual length.
    for (let i = 0; i < name.length; i++) this.bytes[this.position++] = name[i] as number;
  }

  private putInt32(value: number): void {
    this.output.view.setInt32(this.position, value, this.isLittleEndian);
    this.position += 4;
  }
}
