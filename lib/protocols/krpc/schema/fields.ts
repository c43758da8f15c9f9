// Finds the messages in a repeated field without decoding them: a megabyte may hold half a million.
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

/**
 * The bytes of the messages in a field; undefined when the message has more fields, of all numbers, than `most`. Throws an
 * Error for bytes that are no message of fields.
 */
export function fewFields(message: Uint8Array, wanted: number, most: number): readonly Uint8Array[] | undefined {
  const messages: Uint8Array[] = [];
  const reader = new BinaryReader(message);
  for (let count = 0; reader.pos < reader.len; count++) {
    if (count === most) return undefined;
    const [field, wireType] = reader.tag();
    if (wireType === WireType.StartGroup) throw new TypeError('kRPC has no groups');
    if (field === wanted && wireType === WireType.LengthDelimited) messages.push(reader.bytes());
    else reader.skip(wireType, field);
  }
  return messages;
}
