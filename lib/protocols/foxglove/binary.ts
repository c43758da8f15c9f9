// The binary messages of Foxglove's protocol: a byte that says which, then little-endian fields.
import { Parser } from 'binary-parser';

const NANOSECONDS = 1e9;

/** Nanoseconds of a time; before zero there are none. */
export const nanosecondsOf = (seconds: number): bigint => {
  const whole = Math.floor(Math.max(0, seconds));
  return BigInt(whole) * BigInt(NANOSECONDS) + BigInt(Math.round((Math.max(0, seconds) - whole) * NANOSECONDS));
};

/** Times as JSON has them. */
export const timeOf = (nanoseconds: bigint): { readonly sec: number; readonly nsec: number } => ({
  sec: Number(nanoseconds / BigInt(NANOSECONDS)),
  nsec: Number(nanoseconds % BigInt(NANOSECONDS)),
});

export function secondsOf(nanoseconds: bigint): number {
  const { sec, nsec } = timeOf(nanoseconds);
  return sec + nsec / NANOSECONDS;
}

const FromServer = { data: 1, time: 2, serviceResponse: 3, asset: 4, playback: 5 } as const;
const FromClient = { serviceRequest: 2, playback: 3 } as const;

export const PlaybackStatus = { playing: 0, paused: 1, ended: 3 } as const;

export function dataMessage(subscriptionId: number, nanoseconds: bigint, payload: Uint8Array): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt8(FromServer.data, 0);
  head.writeUInt32LE(subscriptionId, 1);
  head.writeBigUInt64LE(nanoseconds, 5);
  return Buffer.concat([head, payload]);
}

export function timeMessage(nanoseconds: bigint): Uint8Array {
  const message = Buffer.alloc(9);
  message.writeUInt8(FromServer.time, 0);
  message.writeBigUInt64LE(nanoseconds, 1);
  return message;
}

const JSON_ENCODING = Buffer.from('json');

export function serviceResponse(serviceId: number, callId: number, payload: Uint8Array): Uint8Array {
  const head = Buffer.alloc(13);
  head.writeUInt8(FromServer.serviceResponse, 0);
  head.writeUInt32LE(serviceId, 1);
  head.writeUInt32LE(callId, 5);
  head.writeUInt32LE(JSON_ENCODING.length, 9);
  return Buffer.concat([head, JSON_ENCODING, payload]);
}

const assetHead = (requestId: number, status: number, errorBytes: number): Buffer => {
  const head = Buffer.alloc(10);
  head.writeUInt8(FromServer.asset, 0);
  head.writeUInt32LE(requestId, 1);
  head.writeUInt8(status, 5);
  head.writeUInt32LE(errorBytes, 6);
  return head;
};

export const assetMessage = (requestId: number, payload: Uint8Array): Uint8Array =>
  Buffer.concat([assetHead(requestId, 0, 0), payload]);

export function assetFailure(requestId: number, sentence: string): Uint8Array {
  const text = Buffer.from(sentence);
  return Buffer.concat([assetHead(requestId, 1, text.length), text]);
}

export interface PlaybackState {
  readonly status: number;
  readonly nanoseconds: bigint;
  readonly speed: number;
  readonly didSeek: boolean;
  /** Of the request that is answered; empty when the state has changed by itself. */
  readonly requestId: string;
}

export function playbackMessage({ status, nanoseconds, speed, didSeek, requestId }: PlaybackState): Uint8Array {
  const id = Buffer.from(requestId);
  const head = Buffer.alloc(19);
  head.writeUInt8(FromServer.playback, 0);
  head.writeUInt8(status, 1);
  head.writeBigUInt64LE(nanoseconds, 2);
  head.writeFloatLE(speed, 10);
  head.writeUInt8(didSeek ? 1 : 0, 14);
  head.writeUInt32LE(id.length, 15);
  return Buffer.concat([head, id]);
}

/** A binary message of a client. */
export type ClientMessage =
  | {
      readonly op: 'service';
      readonly serviceId: number;
      readonly callId: number;
      readonly encoding: string;
      readonly payload: Buffer;
    }
  | {
      readonly op: 'playback';
      readonly command: number;
      readonly speed: number;
      readonly seekTo: bigint | undefined;
      readonly requestId: string;
    };

const serviceRequest = new Parser()
  .endianness('little')
  .uint8('op')
  .uint32('serviceId')
  .uint32('callId')
  .uint32('encodingLength')
  .string('encoding', { length: 'encodingLength' })
  .buffer('payload', { readUntil: 'eof' });

const playbackRequest = new Parser()
  .endianness('little')
  .uint8('op')
  .uint8('command')
  .floatle('speed')
  .uint8('hadSeek')
  .uint64('seekTime')
  .uint32('idLength')
  .string('requestId', { length: 'idLength' });

/** Throws an Error with one sentence for bytes that are no message of a client. */
export function parseClientMessage(bytes: Buffer): ClientMessage {
  const op = bytes[0];
  if (op === FromClient.serviceRequest) {
    // A text that is said to be longer than the message would be cut silently.
    if (bytes.length < 13 || bytes.readUInt32LE(9) > bytes.length - 13)
      throw new Error('a service request is cut short');
    const { serviceId, callId, encoding, payload } = serviceRequest.parse(bytes);
    return { op: 'service', serviceId, callId, encoding, payload: Buffer.from(payload) };
  }
  if (op === FromClient.playback) {
    if (bytes.length < 19 || bytes.readUInt32LE(15) !== bytes.length - 19)
      throw new Error('a playback request has another length than it says');
    const { command, speed, hadSeek, seekTime, requestId } = playbackRequest.parse(bytes);
    if (command > 1) throw new Error(`a playback request plays (0) or pauses (1); there is no ${command}`);
    return { op: 'playback', command, speed, seekTo: hadSeek === 0 ? undefined : BigInt(seekTime), requestId };
  }
  throw new Error(`there is no binary message ${op ?? 'without bytes'}`);
}
