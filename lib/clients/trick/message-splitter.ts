// Cuts a server's bytes into messages: lines, binary messages, files and redirected stdio.
import { ProtocolError } from './errors.js';
import { MessageIndicator } from './message-indicator.js';

/** A message of a server: a line, binary values, a file, or what it printed. */
export type Message =
  /** `text` is what follows the indicator and its tab. */
  | { readonly kind: 'line'; readonly indicator: number; readonly text: string }
  /** `bytes` is the whole message, header included. */
  | { readonly kind: 'binary'; readonly indicator: number; readonly isByteSwapped: boolean; readonly bytes: Buffer }
  /** Undefined when the server has no such file. */
  | { readonly kind: 'file'; readonly indicator: 2; readonly bytes: Buffer | undefined }
  | { readonly kind: 'stdio'; readonly indicator: 4; readonly stream: 'stdout' | 'stderr'; readonly text: string };

/** Larger than any message of Trick's; a server that announces more is no Trick server. */
const LARGEST_MESSAGE_BYTES = 256 * 1024 * 1024;
/** Trick's have 8192 at most. */
const LARGEST_BINARY_BYTES = 65_536;
const HEADER_BYTES = 12;
const NEWLINE = 0x0a;

/** Sizes of the binary replies that do not carry their size. */
const SMALL_REPLY_BYTES: ReadonlyMap<number, number> = new Map([
  [MessageIndicator.exists, 5],
  [MessageIndicator.listSize, 12],
  [MessageIndicator.stlSize, 8],
]);

/** A message and its length, or how many bytes it takes before the next attempt can succeed. */
type SplitMessage =
  | { readonly message: Message; readonly sizeBytes: number }
  | { readonly neededBytes: number; readonly isLine?: true };

/**
 * Every message tells by its first byte whether it is text (`-`, `0` to `6`) or binary (an int32 from -1 to 6), and by its
 * size field in which order its bytes are, so a stream may change its form at any message.
 */
export class MessageSplitter {
  private pieces: Buffer[] = [];
  private lengthBytes = 0;
  private neededBytes = 1;
  private searchedBytes = 0;
  /** Whether the end of a line is needed. */
  private isInLine = false;

  /** The messages that are complete now. Throws a ProtocolError. */
  push(chunk: Buffer): Message[] {
    this.pieces.push(chunk);
    this.lengthBytes += chunk.length;
    // What has come of a long line is not joined again with every piece.
    if (this.isInLine && !chunk.includes(NEWLINE)) {
      needed(this.lengthBytes);
      return [];
    }
    if (this.lengthBytes < this.neededBytes) return [];
    const messages: Message[] = [];
    let unread = this.pieces.length === 1 ? chunk : Buffer.concat(this.pieces);
    let found = this.find(unread);
    while ('message' in found) {
      messages.push(found.message);
      unread = unread.subarray(found.sizeBytes);
      this.searchedBytes = 0;
      found = this.find(unread);
    }
    this.neededBytes = found.neededBytes;
    this.isInLine = found.isLine === true;
    this.pieces = unread.length === 0 ? [] : [unread];
    this.lengthBytes = unread.length;
    return messages;
  }

  private find(bytes: Buffer): SplitMessage {
    const first = bytes[0];
    if (first === undefined) return { neededBytes: 1 };
    if (isTextIndicator(first)) return this.findText(bytes);
    return findBinary(bytes);
  }

  private findText(bytes: Buffer): SplitMessage {
    const end = bytes.indexOf(NEWLINE, this.searchedBytes);
    if (end < 0) {
      this.searchedBytes = bytes.length;
      return { ...needed(bytes.length + 1), isLine: true };
    }
    const line = bytes.toString('utf8', 0, end).replace(/\r$/, '');
    const print = /^4 ([12]) (\d+)$/.exec(line);
    if (print) return findPrint(bytes, end + 1, print[1] === '1' ? 'stdout' : 'stderr', Number(print[2]));
    const file = /^2\t(-?\d+)$/.exec(line);
    if (file) return findFile(bytes, end + 1, Number(file[1]));
    const [, indicator, text] = /^(-1|[0-6])(?:\t(.*))?$/s.exec(line) ?? [];
    if (indicator === undefined)
      throw new ProtocolError(`expected a line of Trick's, such as 0<tab>1.5, not ${shown(line)}`);
    return { message: { kind: 'line', indicator: Number(indicator), text: text ?? '' }, sizeBytes: end + 1 };
  }
}

const isTextIndicator = (byte: number): boolean => byte === 0x2d || (byte >= 0x30 && byte <= 0x36);

const shown = (text: string): string => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);

function needed(neededBytes: number, mostBytes = LARGEST_MESSAGE_BYTES): { readonly neededBytes: number } {
  if (neededBytes > mostBytes)
    throw new ProtocolError(`a message of ${neededBytes} bytes is larger than any of Trick's`);
  return { neededBytes };
}

function findPrint(bytes: Buffer, start: number, stream: 'stdout' | 'stderr', sizeBytes: number): SplitMessage {
  const end = start + sizeBytes;
  if (bytes.length < end) return needed(end);
  const text = bytes.toString('utf8', start, end);
  return { message: { kind: 'stdio', indicator: MessageIndicator.stdio, stream, text }, sizeBytes: end };
}

function findFile(bytes: Buffer, start: number, sizeBytes: number): SplitMessage {
  const indicator = MessageIndicator.file;
  if (sizeBytes < 0) return { message: { kind: 'file', indicator, bytes: undefined }, sizeBytes: start };
  const end = start + sizeBytes;
  if (bytes.length < end) return needed(end);
  return { message: { kind: 'file', indicator, bytes: bytes.subarray(start, end) }, sizeBytes: end };
}

function findBinary(bytes: Buffer): SplitMessage {
  if (bytes.length < 4) return { neededBytes: 4 };
  const small = SMALL_REPLY_BYTES.get(bytes.readInt32LE(0));
  if (small !== undefined) return takeBinary(bytes, small, false);
  if (bytes.length < HEADER_BYTES) return { neededBytes: HEADER_BYTES };
  const [size, sizeIfSwapped] = [bytes.readUInt32LE(4), bytes.readUInt32BE(4)];
  // Sizes are small, so the wrong order always reads as the larger number.
  const isByteSwapped = sizeIfSwapped < size;
  const sizeBytes = 4 + Math.min(size, sizeIfSwapped);
  if (sizeBytes < HEADER_BYTES)
    throw new ProtocolError(`a message of ${sizeBytes} bytes is shorter than any of Trick's`);
  return takeBinary(bytes, sizeBytes, isByteSwapped);
}

function takeBinary(bytes: Buffer, sizeBytes: number, isByteSwapped: boolean): SplitMessage {
  const indicator = isByteSwapped ? bytes.readInt32BE(0) : bytes.readInt32LE(0);
  if (indicator < MessageIndicator.protocolError || indicator > MessageIndicator.stlSize) {
    const start = shown(bytes.toString('latin1', 0, 16));
    throw new ProtocolError(`expected a message of Trick's, not bytes that start with ${start}`);
  }
  if (bytes.length < sizeBytes) return needed(sizeBytes, LARGEST_BINARY_BYTES);
  const message: Message = { kind: 'binary', indicator, isByteSwapped, bytes: bytes.subarray(0, sizeBytes) };
  return { message, sizeBytes };
}
