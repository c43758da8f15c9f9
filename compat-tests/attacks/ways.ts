// Attacks on TLS itself, and others inside TLS and through the HTTP server of a program that has mounted the server.
import type { Attack, Way } from './attack.js';
import { BEVY } from './bevy.js';
import { DELIVERY } from './delivery.js';
import { hello } from './hello.js';
import { JSON_AND_BYTES } from './json.js';
import { KRPC } from './krpc.js';
import { again, get, onTheSecond, pause, sendAndLeave, sendAndStay, times, write } from './peer.js';
import { SESSIONS } from './sessions.js';
import { TRICK_TEXT } from './trick-text.js';

const OTHERS = [...DELIVERY, ...TRICK_TEXT, ...JSON_AND_BYTES, ...BEVY, ...SESSIONS, ...KRPC];

/** An attack that comes by another way. */
function by(way: Way, name: string, other: string): Attack {
  const found = OTHERS.find((attack) => attack.name === other);
  if (!found) throw new Error(`there is no attack ${other}`);
  return { ...found, name, way, sends: `as ${other}: ${found.sends}` };
}

/** Bytes that are not inside TLS, made of a hello. */
const bare =
  (make: (hello: Buffer) => Attack['run']): Attack['run'] =>
  async (place, until) =>
    make(await hello())({ ...place, isSecure: false }, until);

/** Each byte in a record of its own. */
const byBytes = (text: string): Attack['run'] =>
  again(async (socket, until) => {
    while (!until.aborted) {
      for (const byte of text.slice(0, -1)) socket.write(byte);
      if (!(await write(socket, text.slice(-1)))) return;
    }
  });

/** 100 connections more each 100 ms, which stay. */
const crowd =
  (bytes: string | Buffer): Attack['run'] =>
  async (place, until) => {
    const open: Promise<void>[] = [];
    for (let k = 0; k < 20 && !until.aborted; k++) {
      open.push(times(100, sendAndStay(bytes))(place, until));
      await pause(100);
    }
    await Promise.all(open);
  };

export const SECURE: readonly Attack[] = [
  { name: 'T-nothing', way: 'tls', sends: 'nothing', run: async () => undefined },
  {
    name: 'T-hellos',
    way: 'tls',
    sends: 'hellos of TLS whose answers nobody waits for, a hundred at a time',
    run: bare((bytes) => sendAndLeave(() => bytes, 100, 50)),
  },
  {
    name: 'T-half-hellos',
    way: 'tls',
    sends: 'connections that send half of a hello and wait, 100 more each 100 ms',
    run: bare((bytes) => crowd(bytes.subarray(0, bytes.length / 2))),
  },
  {
    name: 'T-silent',
    way: 'tls',
    sends: 'connections that send a hello and wait, 100 more each 100 ms',
    run: bare((bytes) => crowd(bytes)),
  },
  {
    name: 'T-noise',
    way: 'tls',
    sends: 'a hello and noise, twenty connections at a time',
    run: bare((bytes) => sendAndLeave((round) => Buffer.concat([bytes, Buffer.alloc(40_000, round)]), 20)),
  },
  {
    name: 'T-handshakes',
    way: 'tls',
    sends: 'whole handshakes of clients that leave, twenty at a time',
    run: sendAndLeave(() => 'G', 20),
  },
  {
    name: 'T-one-byte-records',
    way: 'tls',
    sends: 'GET /healthz in records of a byte, over ten connections',
    run: times(10, byBytes(get('/healthz'))),
  },
  by('tls', 'T-pipeline', 'O-pipeline'),
  by('tls', 'T-unread', 'A9-discover'),
  by('tls', 'T-events', 'A1-events'),
  by('tls', 'T-slow-readers', 'D-slow-readers'),
  by('tls', 'T-bodies', 'D-bodies'),
  by('tls', 'T-tiny-messages', 'O-tiny-messages'),
  by('tls', 'T-watches', 'E-watches'),
  by('tls', 'T-var-send', 'O-var-send'),
  by('tls', 'T-krpc-lists', 'K-lists'),
  by('tls', 'T-krpc-streams', 'K-streams'),
  by('tls', 'T-krpc-leave', 'K-leave'),
  by('tls', 'T-krpc-drip', 'K-drip'),
];

const burst = times(100, onTheSecond('', get('/healthz').repeat(1300)));

export const MOUNTED: readonly Attack[] = [
  { name: 'M-nothing', way: 'mounted', sends: 'nothing', run: async () => undefined },
  {
    name: 'M-bursts',
    way: 'mounted',
    sends: '64 KB of GET /healthz at each full second, over a hundred connections',
    run: burst,
  },
  by('mounted', 'M-pipeline', 'O-pipeline'),
  by('mounted', 'M-unread', 'A9-discover'),
  by('mounted', 'M-left-waits', 'E-left-waits'),
  by('mounted', 'M-lists', 'B-lists'),
  by('mounted', 'M-events', 'A1-events'),
  by('mounted', 'M-bodies', 'D-bodies'),
  by('mounted', 'M-headers', 'O-headers'),
  by('mounted', 'M-one-byte-chunks', 'O-one-byte-chunks'),
  by('mounted', 'M-half-words', 'D-half-words'),
  by('mounted', 'M-hello-goodbye', 'O-hello-goodbye'),
  by('mounted', 'M-tiny-messages', 'O-tiny-messages'),
  by('mounted', 'M-socket-watches', 'E-socket-watches'),
  by('mounted', 'M-watches', 'E-watches'),
  by('mounted', 'M-subscribe-churn', 'N-subscribe-churn'),
  by('mounted', 'M-messages-leave', 'N-messages-leave'),
];
