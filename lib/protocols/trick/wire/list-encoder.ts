// A session's list as the bytes of a reply, in the form it asked for.
import type { Frame } from '../../../model/frame/reader.js';
import type { Encode } from '../../../serving/session/shared-feed.js';
import { asciiPart, cutLine } from './ascii.js';
import { binaryMessage } from './binary.js';
import { joined, joinedInTurns } from './joined.js';
import type { ListFormat } from './list-format.js';
import { type ListTemplate, templateOf } from './list-template.js';
import type { ListIndicator } from './messages.js';
import type { TrickReference } from './reference.js';

/** A list, and the frame whose values it shows. */
type ListInFrame = [indicator: ListIndicator, references: readonly TrickReference[], format: ListFormat, frame: Frame];

/** Makes the bytes of some of a list's variables, from `first` up to `end`: a write or two. They never change afterwards. */
function encodePart(
  first: number,
  ...[indicator, references, format, frame]: ListInFrame
): { readonly bytes: Uint8Array; readonly end: number } {
  return format.form === 'ascii'
    ? asciiPart(indicator, references, first, frame)
    : binaryMessage(indicator, references, first, format, frame);
}

function encodeParts(...list: ListInFrame): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let first = 0; first < list[1].length; ) {
    const { bytes, end } = encodePart(first, ...list);
    parts.push(bytes);
    first = end;
  }
  return parts;
}

/** The writes of a list, each of at most 8192 bytes: what a datagram may hold. An empty list has none. */
export function encodeList(...list: ListInFrame): Uint8Array[] {
  const parts = encodeParts(...list);
  return list[2].form === 'ascii' ? cutLine(joined(parts)) : parts;
}

/** A list as one message, for a stream. */
export const encodeListJoined = (...list: ListInFrame): Uint8Array => joined(encodeParts(...list));

/**
 * As `encodeList`, or for a stream `encodeListJoined`, with a turn before each part. The frame must not change meanwhile.
 */
export async function encodeListInTurns(
  isDatagram: boolean,
  turn: () => Promise<void>,
  ...list: ListInFrame
): Promise<Uint8Array[]> {
  const [, references, { form }] = list;
  const parts: Uint8Array[] = [];
  for (let first = 0; first < references.length; ) {
    await turn();
    const { bytes, end } = encodePart(first, ...list);
    parts.push(bytes);
    first = end;
  }
  if (isDatagram && form === 'binary') return parts;
  const whole = await joinedInTurns(parts, turn);
  return isDatagram ? cutLine(whole) : [whole];
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

/** Equal keys give equal bytes, as long as the references are held. */
export function feedKey(references: readonly TrickReference[], format: ListFormat): string {
  const { form, withNames, isByteSwapped } = format;
  const shape = form === 'ascii' ? form : `${form}${withNames ? '' : ' nonames'}${isByteSwapped ? ' swapped' : ''}`;
  return `trick ${shape} ${references.map(({ id }) => id).join()}`;
}
