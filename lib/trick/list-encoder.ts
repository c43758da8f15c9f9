// A session's list as the bytes of a reply, in the form it asked for.
import type { Frame } from '../frame/reader.js';
import { cutLine, encodeAscii } from './ascii.js';
import { encodeBinary } from './binary.js';
import type { ListFormat } from './list-format.js';
import type { MessageIndicator } from './message-indicator.js';
import type { TrickReference } from './reference.js';

type EncodeList<Result> = (
  indicator: MessageIndicator,
  references: readonly TrickReference[],
  format: ListFormat,
  frame: Frame,
) => Result;

/**
 * The writes of a list, each of at most 8192 bytes: what a datagram may hold. An empty list has none. The bytes are new
 * and never written to afterwards.
 */
export const encodeList: EncodeList<Uint8Array[]> = (indicator, references, format, frame) =>
  format.form === 'ascii'
    ? cutLine(encodeAscii(indicator, references, frame))
    : encodeBinary(indicator, references, format, frame);

/** The same as one piece, for a stream: a Feed's encode function. */
export const encodeListJoined: EncodeList<Uint8Array> = (indicator, references, format, frame) => {
  if (format.form === 'ascii') return encodeAscii(indicator, references, frame);
  const messages = encodeBinary(indicator, references, format, frame);
  return messages.length === 1 ? (messages[0] as Uint8Array) : Buffer.concat(messages);
};

/** Equal keys give equal bytes, as long as the references are held. */
export function feedKey(references: readonly TrickReference[], format: ListFormat): string {
  const { form, withNames, isByteSwapped } = format;
  const shape = form === 'ascii' ? form : `${form}${withNames ? '' : ' nonames'}${isByteSwapped ? ' swapped' : ''}`;
  return `trick ${shape} ${references.map(({ id }) => id).join()}`;
}
