// Finds the messages in a repeated field without decoding them: a megabyte may hold half a million.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/** So many fields are looked at between two turns. */
const FIELDS_PER_TURN = 2048;

export interface RepeatedField {
  /** The bytes of each message, up to the most that are wanted. */
  readonly messages: readonly Uint8Array[];
  /** How many there are. */
  readonly count: number;
  /** How many fields of all numbers there are. */
  readonly fields: number;
}

/** One for all: a flood of empty messages must not fill the memory with small objects. */
const NOTHING: RepeatedField = { messages: [], count: 0, fields: 0 };

/** The messages that a field holds. Rejects with an Error for bytes that are no message of fields. */
export async function repeatedField(
  message: Uint8Array,
  wanted: number,
  most: number,
  turn: () => Promise<void>,
): Promise<RepeatedField> {
  if (message.length === 0) return NOTHING;
  const messages: Uint8Array[] = [];
  let count = 0;
  let fields = 0;
  for (const found of fieldsOf(message, wanted)) {
    if (found && count++ < most) messages.push(found);
    if (++fields % FIELDS_PER_TURN === 0) await turn();
  }
  return { messages, count, fields };
}

/** As `repeatedField`, at once; undefined when the message has more fields than `most`. */
export function fewFields(message: Uint8Array, wanted: number, most: number): readonly Uint8Array[] | undefined {
  const messages: Uint8Array[] = [];
  let count = 0;
  for (const found of fieldsOf(message, wanted)) {
    if (++count > most) return undefined;
    if (found) messages.push(found);
  }
  return messages;
}

/** How many fields a message has; one more than `most` when there are more. Throws as `repeatedField` does. */
export function countFields(message: Uint8Array, most: number): number {
  let count = 0;
  for (const fields = fieldsOf(message, 0); count <= most && !fields.next().done; ) count++;
  return count;
}

/** The bytes in each field; undefined for a field with another number. */
function* fieldsOf(message: Uint8Array, wanted: number): Generator<Uint8Array | undefined, void> {
  const reader = new BinaryReader(message);
  while (reader.pos < reader.len) {
    const [field, wireType] = reader.tag();
    if (wireType === WireType.StartGroup) throw new TypeError('kRPC has no groups');
    if (field === wanted && wireType === WireType.LengthDelimited) yield reader.bytes();
    else {
      reader.skip(wireType, field);
      yield undefined;
    }
  }
}
