// List messages as bytes, each with a header of its own. Trick: VariableServerSession::write_binary_data
import type { Frame } from '../../frame/reader.js';
import { TRICK_NONE, trickCodeOf } from '../../model/type.js';
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

/** A message to write: the references from `first` up to `end`, including those that are left out. */
interface Plan {
  readonly first: number;
  end: number;
  variables: number;
  sizeBytes: number;
}

/** The messages of a list, one after the other in one buffer. */
export interface BinaryMessages {
  readonly bytes: Buffer;
  /** Size of each message in bytes. */
  readonly sizes: readonly number[];
  /** Where each reference's value begins in the bytes; LEFT_OUT for one that is in no message. */
  readonly valueOffsets: Int32Array;
}

/** Bytes that are planned or written at once, and what a value counts besides its own: it takes a tenth of a millisecond. */
const PIECE_BYTES = 32 * 1024;
const VALUE_COSTS_BYTES = 64;

/** The bytes are new; none for an empty list. Yields between pieces; the frame must not change meanwhile. */
export function* binaryInPieces(
  indicator: ListIndicator,
  references: readonly TrickReference[],
  format: ListFormat,
  frame: Frame,
): Generator<void, BinaryMessages> {
  const valueSizes = new Int32Array(references.length);
  const plans = references.length > 0 ? yield* planMessages(references, valueSizes, format.withNames, frame) : [];
  const sizes = plans.map(({ sizeBytes }) => sizeBytes);
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0));
  const valueOffsets = new Int32Array(references.length).fill(LEFT_OUT);
  const writer = new Writer(bytes, format, frame);
  const piece = new Piece();
  for (const plan of plans) {
    writer.putHeader(indicator, plan);
    for (let i = plan.first; i < plan.end; i++) {
      const valueBytes = valueSizes[i] as number;
      if (valueBytes !== LEFT_OUT) valueOffsets[i] = writer.put(references[i] as TrickReference, valueBytes);
      if (piece.isOver(valueBytes)) yield;
    }
  }
  return { bytes, sizes, valueOffsets };
}

/** Size and offset of a value that is left out because it fits no message. */
export const LEFT_OUT = -1;

/** Counts what is done between two yields. */
class Piece {
  private bytes = 0;

  /** Whether it is time to yield after a value of so many bytes; then the next piece begins. */
  isOver(valueBytes: number): boolean {
    this.bytes += VALUE_COSTS_BYTES + valueBytes;
    if (this.bytes < PIECE_BYTES) return false;
    this.bytes = 0;
    return true;
  }
}

function* planMessages(
  references: readonly TrickReference[],
  sizes: Int32Array,
  withNames: boolean,
  frame: Frame,
): Generator<void, Plan[]> {
  let plan: Plan = { first: 0, end: 0, variables: 0, sizeBytes: HEADER_BYTES };
  const plans = [plan];
  const piece = new Piece();
  for (let index = 0; index < references.length; index++) {
    const reference = references[index] as TrickReference;
    const valueBytes = valueSize(reference, frame);
    const blockBytes = (withNames ? 4 + reference.nameBytes.length : 0) + VALUE_HEADER_BYTES + valueBytes;
    const fits = HEADER_BYTES + blockBytes <= LONGEST_WRITE_BYTES;
    sizes[index] = fits ? valueBytes : LEFT_OUT;
    if (fits && plan.sizeBytes + blockBytes > LONGEST_WRITE_BYTES) {
      plan = { first: index, end: index, variables: 0, sizeBytes: HEADER_BYTES };
      plans.push(plan);
    }
    plan.end = index + 1;
    if (fits) {
      plan.variables++;
      plan.sizeBytes += blockBytes;
    }
    if (piece.isOver(valueBytes)) yield;
  }
  return plans;
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

  putHeader(indicator: ListIndicator, plan: Plan): void {
    this.putInt32(indicator);
    this.putInt32(plan.sizeBytes - INDICATOR_BYTES);
    this.putInt32(plan.variables);
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
