// A whole frame as one message, for readers that share no memory with the simulation: bridges, of which there is none yet.
import { decodeHeader, EMPTY_HEADER, encodeHeader, type FrameHeader, HEADER_BYTES, Mode, Reason } from './header.js';
import { PageLeases } from './page-leases.js';
import { PageMap, pagesOf } from './page-map.js';
import { Frame, FramePages } from './reader.js';

/**
 * A message starts with these four characters, then three 32-bit words: format, bytes of the arena, bytes of the map.
 */
const MAGIC = 'VWFR';
const FORMAT = 2;
const PREFIX_BYTES = 16;

const MODES: ReadonlySet<number> = new Set(Object.values(Mode));
const REASONS: ReadonlySet<number> = new Set(Object.values(Reason));

/** The bytes are not a frame, or not a frame of the state that they are read into. The target frame is unchanged. */
export class FrameMessageError extends Error {
  override readonly name = 'FrameMessageError';
}

/**
 * A frame to decode messages into, for a state of that size. The pages that its leases hold must be told to the
 * simulation.
 */
export function createFrame(arenaBytes: number): Frame {
  const pages = pagesOf(arenaBytes);
  return new Frame(arenaBytes, EMPTY_HEADER, pages > 0 ? new FramePages(new PageLeases(), arenaBytes) : undefined);
}

/** Encodes the header, the map of pages and the bytes that the frame carries; all numbers are little-endian. */
export function encodeFrame({ header, memory, pages }: Frame): Uint8Array {
  const { bytes } = memory;
  const mapBytes = pages ? pagesOf(bytes.length) : 0;
  const carriedBytes = pages ? pages.carried.bytesOf(bytes.length) : bytes.length;
  const message = new Uint8Array(partsStart(mapBytes) + carriedBytes);
  const view = new DataView(message.buffer);
  for (let at = 0; at < MAGIC.length; at++) view.setUint8(at, MAGIC.charCodeAt(at));
  view.setUint32(4, FORMAT, true);
  view.setUint32(8, bytes.length, true);
  view.setUint32(12, mapBytes, true);
  encodeHeader(header, new DataView(message.buffer, PREFIX_BYTES, HEADER_BYTES));
  if (pages) new PageMap(mapIn(message, mapBytes)).take(pages.carried);
  let at = partsStart(mapBytes);
  for (const [start, end] of pages ? pages.carried.ranges(bytes.length) : [[0, bytes.length] as const]) {
    message.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  return message;
}

/** Decodes what `encodeFrame` made into a frame of the same state. Throws a FrameMessageError. */
export function decodeFrame(message: Uint8Array, into: Frame): void {
  const { bytes } = into.memory;
  const mapBytes = checkPrefix(message, into);
  const header = decodeHeader(new DataView(message.buffer, message.byteOffset + PREFIX_BYTES, HEADER_BYTES));
  checkHeader(header);
  const carried = mapBytes > 0 ? new PageMap(mapIn(message, mapBytes)) : undefined;
  const wanted = partsStart(mapBytes) + (carried ? carried.bytesOf(bytes.length) : bytes.length);
  if (message.length !== wanted) throw wrongLength(message, wanted);
  let at = partsStart(mapBytes);
  for (const [start, end] of carried ? carried.ranges(bytes.length) : [[0, bytes.length] as const]) {
    bytes.set(message.subarray(at, at + end - start), start);
    at += end - start;
  }
  if (carried) into.pages?.carried.take(carried);
  else into.pages?.carried.markAll();
  into.header = header;
}

const partsStart = (mapBytes: number): number => PREFIX_BYTES + HEADER_BYTES + mapBytes;

const mapIn = (message: Uint8Array, mapBytes: number): Uint8Array =>
  message.subarray(PREFIX_BYTES + HEADER_BYTES, PREFIX_BYTES + HEADER_BYTES + mapBytes);

/** Checks the start of a message. Returns the size of its map, all of which the message contains. */
function checkPrefix(message: Uint8Array, { memory, pages }: Frame): number {
  if (message.length < partsStart(0)) throw wrongLength(message, partsStart(0), 'at least ');
  const view = new DataView(message.buffer, message.byteOffset, PREFIX_BYTES);
  if (String.fromCharCode(...message.subarray(0, MAGIC.length)) !== MAGIC)
    throw new FrameMessageError(`a frame message starts with ${MAGIC}; this one does not`);
  const format = view.getUint32(4, true);
  if (format !== FORMAT) throw new FrameMessageError(`frame messages have format ${FORMAT}, this one has ${format}`);
  const arenaBytes = view.getUint32(8, true);
  const own = memory.bytes.length;
  if (arenaBytes !== own)
    throw new FrameMessageError(`a frame of a state of ${arenaBytes} bytes does not fit one of ${own}`);
  const mapBytes = view.getUint32(12, true);
  if (mapBytes !== 0 && (!pages || mapBytes !== pagesOf(own)))
    throw new FrameMessageError(`a frame of ${own} bytes has no map of ${mapBytes} pages`);
  if (message.length < partsStart(mapBytes)) throw wrongLength(message, partsStart(mapBytes), 'at least ');
  return mapBytes;
}

function checkHeader({ number, tick, catalogVersion, mode, reason }: FrameHeader): void {
  for (const [name, value] of Object.entries({ number, tick, catalogVersion }))
    if (!(Number.isSafeInteger(value) && value >= 0))
      throw new FrameMessageError(`a frame's ${name} is a whole number from 0 up, not ${value}`);
  if (!MODES.has(mode)) throw new FrameMessageError(`a frame has no mode ${mode}`);
  if (!REASONS.has(reason)) throw new FrameMessageError(`a frame has no reason ${reason}`);
}

const wrongLength = ({ length }: Uint8Array, wanted: number, bound = ''): FrameMessageError =>
  new FrameMessageError(`a frame message of ${length} bytes should have ${bound}${wanted}`);
