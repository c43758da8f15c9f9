// The doors of a server with TLS: records of handshakes, and what is inside.
import { hello } from '../../attacks/hello.js';
import type { Chance } from './chance.js';
import type { Door } from './door.js';
import { HTTP_BYTES } from './http-door.js';
import { sendEach } from './sockets.js';
import { TRICK_TEXT } from './trick-door.js';

const HELLO = await hello();
/** Change of the cipher, alert, handshake, data, heartbeat, and one that does not exist. */
const RECORD_TYPES = [20, 21, 22, 23, 24, 99];
const VERSIONS = [0x0300, 0x0301, 0x0303, 0x0304, 0x7f1c, 0xffff];
/** Of messages inside a handshake: a request for a new one, hello, key exchange, finished, key update and others. */
const MESSAGE_TYPES = [0, 1, 2, 4, 8, 11, 14, 16, 20, 24, 254];
/** Where a hello has its length, and that of the message inside. */
const LENGTHS_AT = [3, 4, 6, 7, 8, 43, 44];

/** A record that may lie about its length. */
function record(type: number, version: number, body: Buffer, toldBytes = body.length): Buffer {
  const head = Buffer.from([type, version >> 8, version & 0xff, (toldBytes >> 8) & 0xff, toldBytes & 0xff]);
  return Buffer.concat([head, body]);
}

function message(chance: Chance): Buffer {
  const body = chance.bytes(chance.below(300));
  const told = chance.oneIn(4) ? chance.of([0, 1, 0xffff, 0xffffff]) : body.length;
  return Buffer.concat([Buffer.from([chance.of(MESSAGE_TYPES), told >> 16, (told >> 8) & 0xff, told & 0xff]), body]);
}

function oneRecord(chance: Chance): Buffer {
  const body = chance.oneIn(3) ? chance.bytes(chance.below(600)) : message(chance);
  const told = chance.oneIn(5) ? chance.of([0, 1, 16_384, 16_385, 65_535]) : body.length;
  return record(chance.oneIn(3) ? chance.of(RECORD_TYPES) : 22, chance.of(VERSIONS), body, told);
}

/** A hello, sound or with wrong lengths, and records behind it. */
function handshake(chance: Chance): Buffer {
  const first = Buffer.from(HELLO);
  if (chance.oneIn(2)) first[chance.of(LENGTHS_AT)] = chance.below(256);
  const parts = chance.oneIn(6) ? [] : [first];
  return Buffer.concat([...parts, ...chance.several(3, () => oneRecord(chance))]);
}

export const TLS_RECORDS: Door = {
  name: 'tls',
  seeds: [
    HELLO,
    Buffer.concat([HELLO, record(20, 0x0303, Buffer.from([1]))]),
    record(21, 0x0303, Buffer.from([2, 40])),
  ],
  generate: handshake,
  send: async ({ secure }, inputs) => {
    const at = await secure();
    if (at) await sendEach({ port: at.port }, inputs);
  },
};

export const INSIDE_TLS: Door = {
  name: 'inside-tls',
  seeds: [...HTTP_BYTES.seeds, ...TRICK_TEXT.seeds],
  generate: (chance) => (chance.oneIn(2) ? HTTP_BYTES : TRICK_TEXT).generate(chance),
  isAllowed: (input) => [HTTP_BYTES, TRICK_TEXT].every(({ isAllowed }) => isAllowed?.(input)),
  batch: 20,
  send: async ({ secure }, inputs) => {
    const at = await secure();
    if (at) await sendEach(at, inputs);
  },
};
