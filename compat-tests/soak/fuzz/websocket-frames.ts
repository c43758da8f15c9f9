// WebSocket frames as a client sends them, and as none should.
import type { Chance } from './chance.js';
import { openSocket, write } from './sockets.js';

const HANDSHAKE = Buffer.from(
  'GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
);
const MASK_BIT = 0x80;
const LENGTH_16 = 126;
const LENGTH_64 = 127;

/** A frame whose mask is zero, so that its payload can be read. */
export function frame(firstByte: number, payload: Buffer, toldLength = payload.length, isMasked = true): Buffer {
  const mask = isMasked ? MASK_BIT : 0;
  let head: Buffer;
  if (toldLength < LENGTH_16) head = Buffer.from([firstByte, mask | toldLength]);
  else if (toldLength < 2 ** 16) head = Buffer.from([firstByte, mask | LENGTH_16, toldLength >> 8, toldLength & 255]);
  else {
    head = Buffer.alloc(10);
    head[0] = firstByte;
    head[1] = mask | LENGTH_64;
    head.writeBigUInt64BE(BigInt(toldLength), 2);
  }
  return Buffer.concat([head, Buffer.alloc(isMasked ? 4 : 0), payload]);
}

export const FINAL_TEXT = 0x81;
export const FINAL_BINARY = 0x82;
const FIRST_BYTES = [
  FINAL_TEXT,
  FINAL_TEXT,
  FINAL_TEXT,
  0x01,
  0x80,
  0x00,
  0x82,
  0x88,
  0x89,
  0x8a,
  0x83,
  0xc1,
  0xff,
  0x0f,
];

/** Some frames around payloads; few of them lie about their length, lack their mask or hold noise. */
export function frames(chance: Chance, payloadOf: () => Buffer, usual = FINAL_TEXT): Buffer {
  const one = (): Buffer => {
    const payload = chance.oneIn(6) ? chance.bytes(chance.below(200)) : payloadOf();
    const told = chance.oneIn(15) ? chance.of([0, 125, 126, 65_535, 65_536, 2 ** 31, 2 ** 53 - 1]) : payload.length;
    return frame(chance.oneIn(2) ? usual : chance.of(FIRST_BYTES), payload, told, !chance.oneIn(20));
  };
  return Buffer.concat([one(), ...chance.several(3, one)]);
}

/** Each input behind a handshake, on a connection of its own. */
export async function sendFrames(port: number, inputs: readonly Buffer[], path = '/ws'): Promise<void> {
  for (const input of inputs) {
    const socket = await openSocket(port);
    const first = new Promise<void>((resolve) => {
      socket.once('data', () => resolve()).once('close', () => resolve());
    });
    await write(socket, Buffer.from(HANDSHAKE.toString('latin1').replace('/ws', path)));
    await first;
    await write(socket, input);
    await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
  }
}
