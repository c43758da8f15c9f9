// List messages as bytes, each with a header of its own. Trick: VariableServerSession::write_binary_data
import type { Frame } from '../frame/reader.js';
import { TRICK_NONE, trickCodeOf } from '../model/type.js';
import type { ListFormat } from './list-format.js';
import { LONGEST_WRITE_BYTES, type MessageIndicator } from './message-indicator.js';
import type { TrickReference } from './reference.js';
import { codeOf, type Output, sizeInMessage, writeBytes } from './value-bytes.js';

/** Indicator, size of what follows the indicator, number of variables: int32 each. */
const HEADER_BYTES = 12;
/** Trick type code and size of a value. */
const VALUE_HEADER_BYTES = 8;
const INDICATOR_BYTES = 4;
const BAD_REF_BYTES = 4;
const TIME_BYTES = 8;
const DOUBLE_CODE = trickCodeOf({ kind: 'number', name: 'double' });

/** A message to be: the references from `first` up to `end`, those left out included. */
interface Plan {
  readonly first: number;
  end: number;
  variables: number;
  sizeBytes: number;
}

/** The messages of a list, one after the other in one buffer; nothing for an empty list. */
export function encodeBinary(
  indicator: MessageIndicator,
  references: readonly TrickReference[],
  format: ListFormat,
  frame: Frame,
): Uint8Array[] {
  if (references.length === 0) return [];
  const sizes = new Int32Array(references.length);
  const plans = planMessages(references, sizes, format.withNames, frame);
  const bytes = Buffer.allocUnsafe(plans.reduce((sum, plan) => sum + plan.sizeBytes, 0));
  const writer = new Writer(bytes, format, frame);
  let start = 0;
  return plans.map((plan) => {
    writer.putHeader(indicator, plan);
    for (let i = plan.first; i < plan.end; i++) writer.put(references[i] as TrickReference, sizes[i] as number);
    const message = bytes.subarray(start, start + plan.sizeBytes);
    start += plan.sizeBytes;
    return message;
  });
}

/** The size of a value; -1 marks one that is left out because it fits no message. */
const LEFT_OUT = -1;

function planMessages(
  references: readonly TrickReference[],
  sizes: Int32Array,
  withNames: boolean,
  frame: Frame,
): Plan[] {
  let plan: Plan = { first: 0, end: 0, variables: 0, sizeBytes: HEADER_BYTES };
  const plans = [plan];
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
    if (!fits) continue;
    plan.variables++;
    plan.sizeBytes += blockBytes;
  }
  return plans;
}

function valueSize(reference: TrickReference, frame: Frame): number {
  if (reference.isTime) return TIME_BYTES;
  const leaves = reference.leavesIn(frame);
  return leaves ? sizeInMessage(frame.memory, leaves) : BAD_REF_BYTES;
}

class Writer {
  private readonly output: Output;
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

  putHeader(indicator: MessageIndicator, plan: Plan): void {
    this.putInt32(indicator);
    this.putInt32(plan.sizeBytes - INDICATOR_BYTES);
    this.putInt32(plan.variables);
  }

  /** A name (unless without), a type code, a size and a value. */
  put(reference: TrickReference, sizeBytes: number): void {
    if (sizeBytes === LEFT_OUT) return;
    if (this.format.withNames) this.putName(reference.nameBytes);
    if (reference.isTime) this.putTime();
    else this.putValue(reference, sizeBytes);
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
