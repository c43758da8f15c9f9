// A session's list as the bytes of a reply, in the form it asked for.
import type { Frame } from '../../frame/reader.js';
import type { Encode } from '../../session/shared-feed.js';
import { asciiInPieces, cutLine } from './ascii.js';
import { atOnce } from './at-once.js';
import { type BinaryMessages, binaryInPieces } from './binary.js';
import type { ListFormat } from './list-format.js';
import { type ListTemplate, templateOf } from './list-template.js';
import type { ListIndicator } from './messages.js';
import type { TrickReference } from './reference.js';

type EncodeList<Result> = (
  indicator: ListIndicator,
  references: readonly TrickReference[],
  format: ListFormat,
  frame: Frame,
) => Result;

/**
 * The writes of a list, each of at most 8192 bytes: what a datagram may hold. An empty list has none. The bytes are new
 * and never written to afterwards.
 */
export const encodeList: EncodeList<Uint8Array[]> = (...list) => atOnce(listInPieces(...list));

/**
 * As `encodeList`, but yields between pieces, which take a tenth of a millisecond. The frame must not change meanwhile.
 */
export function* listInPieces(...list: Parameters<EncodeList<unknown>>): Generator<void, Uint8Array[]> {
  const [indicator, references, format, frame] = list;
  if (format.form === 'ascii') return cutLine(yield* asciiInPieces(indicator, references, frame));
  return cutMessages(yield* binaryInPieces(indicator, references, format, frame));
}

/** A list as one piece, for a stream. */
export const encodeListJoined: EncodeList<Uint8Array> = (...list) => atOnce(joinedListInPieces(...list));

/** As `encodeListJoined`, in pieces like `listInPieces`. */
export function* joinedListInPieces(...list: Parameters<EncodeList<unknown>>): Generator<void, Uint8Array> {
  const [indicator, references, format, frame] = list;
  if (format.form === 'ascii') return yield* asciiInPieces(indicator, references, frame);
  return (yield* binaryInPieces(indicator, references, format, frame)).bytes;
}

/**
 * Encodes one list frame after frame, for a SharedFeed. From the second frame of a catalog on, a binary list whose values all
 * have a fixed place and size is made from a template.
 */
export function listEncoder(
  indicator: ListIndicator,
  references: readonly TrickReference[],
  format: ListFormat,
): Encode {
  if (format.form === 'ascii') return (frame) => encodeListJoined(indicator, references, format, frame);
  let catalogVersion = -1;
  let framesOfCatalog = 0;
  let template: ListTemplate | undefined;
  return (frame) => {
    if (frame.header.catalogVersion !== catalogVersion) {
      catalogVersion = frame.header.catalogVersion;
      framesOfCatalog = 0;
      template = undefined;
    }
    // Only once for each catalog, at its second frame: a list that is sent once is not worth a template.
    if (++framesOfCatalog === 2) template = templateOf(indicator, references, format, frame);
    return template ? template.fill(frame) : encodeListJoined(indicator, references, format, frame);
  };
}

function cutMessages({ bytes, sizes }: BinaryMessages): Uint8Array[] {
  let end = 0;
  return sizes.map((size) => {
    end += size;
    return bytes.subarray(end - size, end);
  });
}

/** Equal keys give equal bytes, as long as the references are held. */
export function feedKey(references: readonly TrickReference[], format: ListFormat): string {
  const { form, withNames, isByteSwapped } = format;
  const shape = form === 'ascii' ? form : `${form}${withNames ? '' : ' nonames'}${isByteSwapped ? ' swapped' : ''}`;
  return `trick ${shape} ${references.map(({ id }) => id).join()}`;
}
